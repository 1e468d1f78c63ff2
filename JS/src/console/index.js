// What `console` loads at its first use.
import { loaded } from "../engine/console.js";
import { publishToHost } from "../engine/publish.js";
import { consoleMethods } from "./console.js";
import { inspect } from "./inspect.js";
import { declareNames, keepResult, makeConstant, memberNames, readGlobals, showResult, typeText } from "./repl.js";

loaded.methods = consoleMethods;
loaded.inspect = inspect;
publishToHost({ __proto__: null, declareNames, keepResult, makeConstant, memberNames, readGlobals, showResult, typeText });
