// What scripts see of the bridge: the ancestor's global, the promise face beside it, and how they get there.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const {
        ObjectDefineProperty, ObjectFreeze, ObjectHasOwn, ReflectDeleteProperty, String, queueJob,
    } = internal.primordials;
    const { log, reportError, signal } = internal;
    const { bridge } = internal;
    const {
        isDirect, disableName, counts, isObject, read, textOf, define, BridgeError, notify, fetchQueue,
        registerHandler, removeHandler, callSynchronously, callWithPromise, callWithCallback, openStream, on, off, emit,
        describe, reference, callReference, pipeline, makeModule, receiveText, makeSynchronous, later, beginSetUp, endSetUp, dialect,
    } = bridge;
    const global = globalThis;
    const { encodeURIComponent } = global;

    // Frozen, with the functions on it, so that no script puts its own in their place.
    function face(members) {
        for (const key in members) if (ObjectHasOwn(members, key)) ObjectFreeze(members[key]);
        return ObjectFreeze(members);
    }

    // The ancestor keeps handlers by names of properties, for which 5 and "5" are one, and null and "null".
    function nameOf(name) {
        return name === null || typeof name === "number" || typeof name === "boolean" ? String(name) : name;
    }

    // P12: kept, since a peer may rely on it, but hardly ever meant: with a third argument, whatever it is, the second is data.
    function warnOfFunction(name, responseCallback) {
        const isLost = !bridge.takesFunctions();
        if (!isLost && typeof responseCallback === "function") return;
        const third = responseCallback === null ? "null" : typeof responseCallback;
        log("warn", "callHandler(\"" + textOf(name) + "\", function, " + third + ") "
            + (isLost ? "loses the function" : "sends the function as data") + ": with a third argument the second is data.");
    }

    const handlersFace = {
        registerHandler(name, handler) {
            registerHandler(nameOf(name), handler, true);
        },
        callHandler(handlerName, data, responseCallback) {
            const name = nameOf(handlerName);
            if (arguments.length === 2 && typeof data === "function") {
                callWithCallback(name, null, data);
                return;
            }
            if (typeof data === "function") warnOfFunction(name, responseCallback);
            callWithCallback(name, data, responseCallback);
        },
        disableJavscriptAlertBoxSafetyTimeout() {
            makeSynchronous();
        },
        _fetchQueue() {
            return dialect.signal.returnsByURL ? returnQueue() : fetchQueue();
        },
    };

    // Frozen faces are not asked for by their names.
    internal.takeQueue = () => handlersFace._fetchQueue();
    internal.takeMessage = receiveText;

    // Where the native side cannot read what a function gives, the queue goes by the URL of a frame.
    function returnQueue() {
        const text = fetchQueue();
        if (text !== "[]") internal.load(dialect.signal.schemes[0] + "://return/_fetchQueue/" + encodeURIComponent(text));
    }

    function addEntries(members) {
        for (let index = 0; index < dialect.entries.length; index++) {
            define(members, dialect.entries[index], (message) => { receiveText(message); }, true);
        }
        return members;
    }

    function makeFace() {
        switch (dialect.face) {
        case "modules": return addEntries(bridge.makeModules());
        case "methods":
            // This one's entry is a global of its own.
            for (let index = 0; index < dialect.entries.length; index++) publish(dialect.entries[index], bridge.receiveMethod);
            return bridge.makeMethods();
        }
        addEntries(handlersFace);
        if (dialect.hasDefaultHandler) bridge.addDefaultHandler(handlersFace);
        return handlersFace;
    }

    let ancestor;

    const promising = {
        registerHandler(name, handler) {
            registerHandler(name, handler, false);
        },
        callHandler(name, data, options) {
            return callWithPromise(name, data, options);
        },
        callHandlerSync(name, data) {
            return callSynchronously(name, data);
        },
        notify(name, data) {
            notify(name, data);
        },
        removeHandler(name) {
            return removeHandler(nameOf(name));
        },
        openStream(name, data, options) {
            return openStream(name, data, options);
        },
        on(topic, listener) {
            on(topic, listener, false);
        },
        once(topic, listener) {
            on(topic, listener, true);
        },
        off(topic, listener) {
            off(topic, listener);
        },
        emit(topic, data) {
            return emit(topic, data);
        },
        describe(options) {
            return describe(options);
        },
        pipeline(name, data, options) {
            return pipeline(name, data, options);
        },
        module(namespace) {
            return makeModule(namespace);
        },
        reference(value) {
            return reference(value);
        },
        callReference(value, values, options) {
            return callReference(value, values, options);
        },
    };

    // For the parts that come after this one, until the globals are published.
    internal.addToBridge = function addToBridge(name, member) {
        define(promising, name, member, true);
    };

    // ---------------------------------------------------------------- set-up

    let isInstalled = false;

    function publish(name, value) {
        try {
            ObjectDefineProperty(global, name, {
                __proto__: null, value, enumerable: true, writable: false, configurable: false,
            });
        } catch (error) {
            log("error", "The global \"" + name + "\" cannot be set: " + textOf(error));
        }
    }

    function setUpList() {
        return dialect.list === null ? undefined : read(global, dialect.list);
    }

    // A list that stays where it is, and how many of it have run.
    let stayingList, stayingCount = 0;
    // How many callbacks may come while others run: one that pushes itself would run for ever.
    const maximumLateCallbacks = 10000;

    // P5-P7: the list goes first, each callback runs by itself, what is no list is none. As in the ancestor's loop, what one of
    // them pushes to the list that it holds runs behind the others.
    function runSetUp() {
        const callbacks = setUpList();
        if (callbacks === undefined) return;
        bridge.noteUse();
        if (!ReflectDeleteProperty(global, dialect.list)) {
            // Declared with `var`, so it cannot be deleted.
            try { global[dialect.list] = undefined; } catch { /* nor written */ }
        }
        const length = () => isObject(callbacks) ? read(callbacks, "length") : 0;
        const first = callbacks === stayingList ? stayingCount : 0, count = length();
        const stays = setUpList() === callbacks;
        if (stays) stayingList = callbacks;
        for (let index = first; index < length(); index++) {
            if (index >= count + maximumLateCallbacks) {
                log("warn", "Of the set-up callbacks that others push, " + maximumLateCallbacks + " are run; the rest is not.");
                break;
            }
            if (stays) stayingCount = index + 1;
            try {
                const callback = callbacks[index];
                callback(ancestor);
            } catch (error) {
                reportError(error);
            }
        }
    }

    // Once, and where scripts come later, after the first of them or all of their page: some do nothing but listen for it.
    let isReadyTold = false;
    function tellReady() {
        if (dialect.readyEvent === null || isReadyTold) return;
        isReadyTold = true;
        bridge.dispatchReady(ancestor);
    }

    function finishSetUp() {
        if (internal.awaitsUse !== true) tellReady();
        runSetUp();
        // With `init` otherwise.
        if (!dialect.waitsForInit) awaitUse();
        if (dialect.face === "methods") internal.callMethod("_dsb.dsinit", "{\"data\":null}");
    }

    // Where the host says so, messages wait until a script has used the bridge: those that come while others load, which do
    // not, would find no handlers.
    let isAwaitingUse = false;
    function awaitUse() {
        if (bridge.isUsed || internal.awaitsUse !== true) endSetUp();
        else isAwaitingUse = true;
    }
    bridge.noteUse = () => {
        bridge.isUsed = true;
        if (!isAwaitingUse) return;
        isAwaitingUse = false;
        // Behind what else the script registers.
        queueJob(endSetUp);
    };
    internal.noteUse = bridge.noteUse;

    // P9: the page's own handler is left alone.
    function watchWindow() {
        const window = read(global, "window");
        if (!isObject(window) || read(window, "onerror")) return;
        try {
            window.onerror = (message, url, line) => {
                const place = textOf(url) + ":" + textOf(line);
                log("log", dialect.global + ": ERROR:" + textOf(message) + "@" + place);
            };
        } catch { /* a window of its own kind */ }
    }

    internal.installBridge = function installBridge() {
        if (isInstalled) {
            // P2, P3: nothing is made anew, but a list that was filled since is run.
            if (setUpList() !== undefined) later(runSetUp);
            if (dialect.readyEvent !== null && !isReadyTold && read(read(global, "document"), "readyState") === "complete") {
                later(tellReady);
            }
            return;
        }
        isInstalled = true;
        registerHandler(disableName, makeSynchronous, true);
        ancestor = face(makeFace());
        publish(dialect.global, ancestor);
        publish("bridge", face(promising));
        publish("BridgeError", BridgeError);
        watchWindow();
        // P4: the ancestor signals at once, with nothing in the queue.
        if (!isDirect && bridge.post === undefined) signal();
        if (!isDirect || setUpList() !== undefined) {
            beginSetUp();
            later(finishSetUp);
        }
    };

    // A turn was stopped, of an operation or, without one, of none: the host's word for what it has ended comes later. Runs
    // before anything else does in the next turn.
    internal.noteEnded = function noteEnded(operation) {
        bridge.noteEndedCalls(operation);
        bridge.noteEndedStreams(operation);
        bridge.noteEndedIncoming(operation);
    };

    internal.disconnect = function disconnect(record) {
        bridge.failCalls(record);
        bridge.failStreams(record);
        bridge.abandonAll(record);
    };

    // The host's word for whose turn begins.
    internal.enterOperation = function enterOperation(number) {
        bridge.operation = number;
        bridge.enterDeadlines(number);
    };

    // A turn of an operation was stopped, or, without a record, the operation has ended.
    internal.endOperation = function endOperation(number, record) {
        bridge.endCalls(number, record);
        bridge.endStreams(number, record);
        bridge.endIncoming(number, record);
        if (record === undefined) bridge.endMessages(number);
    };

    internal.counts = () => ({ ...counts });
})
