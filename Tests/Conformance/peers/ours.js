// This package's side of the protocol as a script by itself, for any page: the parts of JS/src in the place of `parts`,
// over what a page has. The text transport gives them the same, from the host.
(function (/** @type {((internal: object) => void)[]} */ parts) {
    const key = Symbol.for("JavaScriptBridge.conformance");
    if (globalThis[key] !== undefined) {
        globalThis[key].installBridge();
        return;
    }
    const { reportError, setTimeout, clearTimeout, console, document } = globalThis;
    const signalURL = "https://__wvjb_queue_message__";
    const frame = document.createElement("iframe");
    frame.style.display = "none";
    const started = Date.now();
    const internal = {
        mode: "text",
        epoch: "",
        defaultTimeout: 0,
        maximumCauses: 32,
        now: () => Date.now(),
        eventTime: () => Date.now() - started,
        signal() {
            frame.src = signalURL;
            if (frame.isThere) return;
            frame.isThere = true;
            document.documentElement.appendChild(frame);
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
