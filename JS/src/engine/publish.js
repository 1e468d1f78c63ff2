// Gives Swift functions and members of the scripts.
export function publishToHost(/** @type {any} */ members) {
    for (const name in members) host[name] = members[name];
}
