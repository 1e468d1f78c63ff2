// The built-in modules that give scripts the system. Loaded at the first import of one of them in a context.
import { publishToHost } from "../engine/publish.js";
import { files } from "./files.js";

/** @type {any} */
const modules = { __proto__: null, fs: files };

publishToHost({ __proto__: null, systemModule: (/** @type {string} */ name) => modules[name] });
