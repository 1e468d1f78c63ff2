// Runs the tests in Node, each file in a bare context: `node JS/tests/run.mjs [FILE...]`. This is a second engine
// beside the project's own, which runs the same files.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const tests = dirname(fileURLToPath(import.meta.url));
const read = (...path) => readFileSync(join(tests, ...path), "utf8");
const sources = Object.fromEntries(
    readdirSync(join(tests, "..", "bundles")).map((name) => [name, read("..", "bundles", name)]),
);
const files = process.argv.length > 2
    ? process.argv.slice(2)
    : readdirSync(tests).filter((name) => name.endsWith(".test.js")).sort();

// Some tests leave rejections unhandled on purpose.
process.on("unhandledRejection", () => {});
let passed = 0;
let failed = 0;
for (const file of files) {
    const context = vm.createContext({ __proto__: null });
    vm.runInContext("globalThis.sources = {}; globalThis.evaluate = (text) => (0, eval)(text);", context);
    for (const [name, text] of Object.entries(sources)) context.sources[name] = text;
    // Node's own classes, of another realm: tests compare errors by name.
    context.otherEvents = { EventTarget, Event, CustomEvent, DOMException, AbortController, AbortSignal };
    context.otherData = { TextEncoder, TextDecoder, structuredClone };
    vm.runInContext(read("harness.js"), context, { filename: "harness.js" });
    vm.runInContext(read(file), context, { filename: file });
    vm.runInContext("runTests()", context);
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (const { name, error } of JSON.parse(vm.runInContext("testResults()", context))) {
        if (error === null) passed++;
        else {
            failed++;
            console.log(`${file}: ${name}\n    ${error.replaceAll("\n", "\n    ")}`);
        }
    }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
