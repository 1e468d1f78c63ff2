// The built-in modules that give scripts the system. Loaded at the first import of one of them in a context.
import { publishToHost } from "../engine/publish.js";
import { files } from "./files.js";
import { makeProcess } from "./process.js";

/** @type {any} */
let process;

publishToHost({
    __proto__: null,
    systemModule: (/** @type {string} */ name, /** @type {any} */ given) => {
        switch (name) {
        case "fs": return files;
        case "process": return process ??= makeProcess(given);
        }
    },
});
