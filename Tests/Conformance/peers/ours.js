// This package's side of the protocol as a script by itself, for any page: the bundles of JS/bundles run over the
// functions of the page, in a dialect. `runEngine` is a function of the object that gets the globals of the engine's
// bundle, since the page has its own. The text transport gives the bundles the same functions from the host.
(function (
    /** @type {(globalThis: object) => (host: object, bundles: object) => void} */ runEngine,
    /** @type {(host: object, bundles: object) => void} */ runBridge,
    /** @type {{ [name: string]: (host: object, bundles: object) => void }} */ laterBundles, /** @type {any} */ dialect,
) {
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
    const timers = new Map();
    const native = {
        call: (target, ...values) => target(...values),
        takeFailure() {},
        now: () => Date.now() - started,
        growOutgoing: () => new Float64Array(64),
        growIncoming: () => new Float64Array(64),
        startTimer(id, milliseconds) { timers.set(id, setTimeout(() => { internal.fireTimer(id); }, milliseconds)); },
        stopTimer(id) { clearTimeout(timers.get(id)); },
        print(level, text) { console[level](text); },
        loadBundle(name) { laterBundles[name](internal, bundles); },
    };
    const internal = {
        native,
        mode: "text",
        dialect,
        epoch: "",
        defaultTimeout: 0,
        maximumCauses: 32,
        signal() {
            if (kind === "scriptMessage") webkit.messageHandlers[dialect.signal.queue].postMessage(null);
            else nativeSide.load(schemes[0] + "://" + queueHost);
        },
    };
    const nativeSide = {
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
    };
    const bundles = {};
    runEngine(Object.create(globalThis))(internal, bundles);
    bundles.engine.global = globalThis;
    bundles.engine.uncaught.handle = (error) => {
        reportError(error);
        return true;
    };
    runBridge(internal, bundles);
    Object.assign(bundles.bridge.nativeSide, nativeSide);
    Object.defineProperty(globalThis, key, { value: internal });
    internal.installBridge();
})
