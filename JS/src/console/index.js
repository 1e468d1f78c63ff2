// What `console` loads at its first use.
import { loadedBundles } from "../engine/late_bundles.js";
import { publishToHost } from "../engine/publish.js";
import { consoleMethods } from "./console.js";
import { inspect } from "./inspect.js";
import { declareNames, keepResult, makeConstant, memberNames, readGlobals, showResult, typeText } from "./repl.js";

publishToHost({ __proto__: null, declareNames, keepResult, makeConstant, memberNames, readGlobals, showResult, typeText });
loadedBundles.console = { __proto__: null, methods: consoleMethods, inspect };
