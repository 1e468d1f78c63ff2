// Generates the fixtures again: node make.mjs. Needs tsc, and node, whose own reader of source maps reports where every
// position of the scripts comes from.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";

const folder = new URL(".", import.meta.url).pathname;
const options = ["--target", "ES2017", "--lib", "ES2020", "--newLine", "lf"];
function compile(out, ...more) {
    execFileSync("tsc", [...options, "--outDir", out, ...more, "shop.ts"], { cwd: folder, stdio: "inherit" });
}

rmSync(folder + "out", { recursive: true, force: true });
mkdirSync(folder + "out");
compile("out/file", "--sourceMap");
compile("out/inline", "--inlineSourceMap", "--inlineSources");

const script = readFileSync(folder + "out/file/shop.js", "utf8");
const map = JSON.parse(readFileSync(folder + "out/file/shop.js.map", "utf8"));
writeFileSync(folder + "out/file/positions.json", positions(script, map));

// A bundler's map: the script behind a line of its own, and once more on the same line as its end.
const first = "/* bundle */ var before = 1;\n";
const body = script.replace(/\/\/# sourceMappingURL.*\n?$/, "");
const bundle = first + body + ";" + body;
const lines = first.split("\n").length - 1;
const bodyLines = body.split("\n").length - 1;
const sections = {
    version: 3, file: "bundle.js",
    sections: [
        { offset: { line: lines, column: 0 }, map },
        { offset: { line: lines + bodyLines, column: 1 }, map: { ...map, sources: ["../second.ts"] } },
    ],
};
mkdirSync(folder + "out/indexed");
writeFileSync(folder + "out/indexed/bundle.js", bundle + "//# sourceMappingURL=bundle.js.map\n");
writeFileSync(folder + "out/indexed/bundle.js.map", JSON.stringify(sections));
writeFileSync(folder + "out/indexed/positions.json", positions(bundle, sections));

// For every place: [source, line, column] from 0, or null, a run of equal ones as one.
function positions(text, payload) {
    const reader = new SourceMap(payload);
    return JSON.stringify(text.split("\n").map((line, number) => {
        const runs = [];
        for (let column = 0; column <= line.length; column++) {
            const entry = reader.findEntry(number, column);
            const isHere = entry.generatedLine === number && entry.originalSource !== undefined;
            const place = isHere ? [entry.originalSource, entry.originalLine, entry.originalColumn] : null;
            const last = runs[runs.length - 1];
            if (last !== undefined && JSON.stringify(last[1]) === JSON.stringify(place)) continue;
            runs.push([column, place]);
        }
        return runs;
    })) + "\n";
}
