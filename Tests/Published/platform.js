// The surroundings that the published tests expect of a script without a document: files of their folder, an end of the
// run, and the results as one line.
{
    const files = globalThis.publishedFiles;
    globalThis.GLOBAL = { isWindow: () => false, isWorker: () => false, isShadowRealm: () => false };
    globalThis.location = { search: "", host: "web-platform.test:8000", href: "http://web-platform.test:8000/" };
    // Tests of events report errors on purpose.
    for (const type of ["error", "unhandledrejection"]) addEventListener(type, (event) => { event.preventDefault(); });
    // Classes that are missing have a name, so that the other tests of a file run.
    for (const name of ["Blob", "File", "FileList", "ImageBitmap", "ImageData"]) globalThis[name] ??= class {};
    globalThis.fetch = async (name) => {
        if (files[name] === undefined) throw new TypeError(`no file ${name}`);
        return { ok: true, text: async () => files[name], json: async () => JSON.parse(files[name]) };
    };
    // Timers of signals do not keep a run alive.
    const alive = setTimeout(() => {}, 60_000);
    const escape = (text) => text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    add_completion_callback((tests) => {
        clearTimeout(alive);
        console.log("published-tests:" + escape(JSON.stringify(tests.map(({ name, status, message }) => [name, status, message]))));
    });
}
