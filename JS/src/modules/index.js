// Modules: what the package's own loader adds to the engine's. Loaded at the first import of a context.
import { publishToHost } from "../engine/publish.js";
import {
    checkNewModule, endModules, importDynamically, importModule, makeMeta, rejectEndedImports,
} from "./importing.js";
import { reloadModules } from "./reloading.js";
import { failLoad, finishLoad, problemOfSource } from "./loading.js";

publishToHost({
    __proto__: null,
    checkNewModule, endModules, failLoad, finishLoad, importDynamically, importModule, makeMeta, problemOfSource,
    rejectEndedImports, reloadModules,
});
