// This package's side of the protocol as a script for any page: the parts of JS/src in the place of `parts`, over the
// functions of a page, in a dialect. The text transport provides the same members from the host.
(function (/** @type {((internal: object) => void)[]} */ parts, /** @type {any} */ dialect) {
    const key = Symbol.for("JavaScriptBridge.conformance");
    if (globalThis[key] !== undefined) {
        globalThis[key].installBridge();
        return;
    }
    const { reportError, setTimeout, clearTimeout, console, document, webkit, prompt, WVJBInterface } = globalThis;
    const { kind, schemes, queueHost } = dialect.signal;
    const frame = document.createElement("iframe");
    frame.style.display = "none";
    const started = Date.now();
    const internal = {
        mode: "text",
        dialect,
        epoch: "",
        defaultTimeout: 0,
        maximumCauses: 32,
        now: () => Date.now(),
        eventTime: () => Date.now() - started,
        signal() {
            if (kind === "scriptMessage") webkit.messageHandlers[dialect.signal.queue].postMessage(null);
            else internal.load(schemes[0] + "://" + queueHost);
        },
        load(url) {
            frame.src = url;
            if (frame.isThere) return;
            frame.isThere = true;
            document.documentElement.appendChild(frame);
        },
        post(text) {
            if (kind === "injectedObject") WVJBInterface[dialect.signal.function](text);
            else webkit.messageHandlers[dialect.signal.name].postMessage(JSON.parse(text));
        },
        prompt: (text) => prompt(dialect.signal.prompt, text),
        callMethod(name, text) {
            const { _dsbridge } = globalThis;
            return _dsbridge ? _dsbridge.call(name, text) : prompt(dialect.signal.prompt + name, text);
        },
        log(level, text) { console[level](text); },
        reportError(error) { reportError(error); },
        setTimer: (callback, milliseconds) => setTimeout(callback, milliseconds),
        setUnreferencedTimer: (callback, milliseconds) => setTimeout(callback, milliseconds),
        clearTimer(id) { clearTimeout(id); },
    };
    for (const part of parts) part(internal);
    Object.defineProperty(globalThis, key, { value: internal });
    internal.installBridge();
})
