// The random part of Web Crypto (https://w3c.github.io/webcrypto).
import { usePart } from "./parts.js";
import { needGlobal, publishClass, publishMembers, refuseConstruction, replaceGlobal } from "./publishing.js";

export function Crypto() { refuseConstruction("Crypto"); }
publishClass("Crypto", Crypto, {
    getRandomValues(/** @type {any} */ array) {
        return usePart("random").getRandomValues(this, arguments.length, array);
    },
    randomUUID() { return usePart("random").randomUUID(this); },
});

publishMembers({
    get crypto() {
        needGlobal(this, "crypto");
        return usePart("random").object;
    },
    set crypto(value) { replaceGlobal(this, "crypto", value); },
});
