// Elements of one shape have the same nodes, and differ in texts, places and states only.
export function shapeOf(/** @type {PageElement} */ element, /** @type {string} */ role) {
    const { kind, columns, secondary, image, accessories, folded } = element;
    const marks = (accessories ?? []).map(([name]) => name).join("+");
    return [
        role, kind, columns?.length ?? 0, secondary === undefined ? 0 : 1, image === undefined ? 0 : imageKind(image), marks,
        folded === undefined ? 0 : 1,
    ].join("/");
}

// An image is a picture that the page may load, or the sign that represents it.
export function imageKind(/** @type {string} */ image) {
    return /^(data:image\/|\/)/.test(image) ? "picture" : "sign";
}
