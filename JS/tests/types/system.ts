// The modules of the system. Compiled, never run.
import * as fs from "bridge:fs";
import whole, { readLines, readTextFile, writeFile } from "bridge:fs";
import { describe, expect, test } from "bridge:test";
import process, { argv, env, exit, stdin, stdout } from "bridge:process";

const text: string = await readTextFile(new URL("file:///a"), { signal: AbortSignal.abort() });
const bytes: Uint8Array = await fs.readFile("a");
await writeFile("a", bytes.buffer, { append: true, mode: 0o600 });
// @ts-expect-error text is written by writeTextFile
await writeFile("a", text);
// @ts-expect-error the option has another name
await whole.makeDir("a", { parents: true });
for await (const line of readLines("a")) line.trim();
for await (const { name, isSymlink } of fs.readDir(".")) name.concat(String(isSymlink));
for await (const { kind, path } of fs.watch(".")) if (kind === "create") path.trim();
const modified: Date = (await fs.stat("a")).mtime;

for await (const chunk of stdin) await stdout.write(chunk);
for await (const line of stdin.readLines()) await stdout.write(line);
const home: string | undefined = env.HOME;
process.exitCode = argv.length;
// @ts-expect-error the environment is read-only
env.HOME = "x";
if (home === undefined) exit(1);
export { modified };

test("a", async () => { await expect(Promise.resolve(1)).resolves.not.toBe(2); }, 100);
describe.only("b", () => { test.todo("c"); });
expect(1).not.toBeGreaterThan(2);
// @ts-expect-error a name is needed
test(() => {});
// @ts-expect-error no such matcher
expect(1).toBeOne();
