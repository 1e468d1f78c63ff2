// Functions of later modules that earlier ones call: where two modules need each other, the import has one direction, and
// the later module sets its functions here while the bridge loads.
/**
 * @type {{
 *     [name in "abandonIterable" | "expireCall" | "exportReference" | "exportedValue" | "heldValue" | "importReference"
 *         | "isReferred" | "keepFailure" | "keepReply" | "produce" | "releaseKept" | "resultOf" | "settledValue" | "takeBack"
 *         | "takePlainEvent" | "valueAt"]: (...values: any[]) => any
 * }}
 */
export const hooks = /** @type {any} */ ({
    __proto__: null,
    abandonIterable: undefined,
    expireCall: undefined,
    exportReference: undefined,
    exportedValue: undefined,
    heldValue: undefined,
    importReference: undefined,
    isReferred: undefined,
    keepFailure: undefined,
    keepReply: undefined,
    produce: undefined,
    releaseKept: undefined,
    resultOf: undefined,
    settledValue: undefined,
    takeBack: undefined,
    takePlainEvent: undefined,
    valueAt: undefined,
});
