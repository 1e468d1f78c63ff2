// What `console` loads at its first use.
import { loaded } from "../engine/console.js";
import { consoleMethods } from "./console.js";
import { inspect } from "./inspect.js";

loaded.methods = consoleMethods;
loaded.inspect = inspect;
