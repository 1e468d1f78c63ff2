// Gives Swift functions and members of the scripts.
export function publishToHost(/** @type {Partial<ScriptMembers & TestMembers> & { __proto__: null }} */ members) {
    for (const name in members) /** @type {any} */ (host)[name] = /** @type {any} */ (members)[name];
}
