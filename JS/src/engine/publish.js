// Gives Swift functions and members of the scripts.
export function publishToHost(/** @type {any} */ members) {
    for (const name in members) /** @type {any} */ (host)[name] = members[name];
}
