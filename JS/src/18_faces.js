// What scripts see of the bridge: the ancestor's global, the promise face beside it, and how they get there.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const {
        ObjectDefineProperty, ObjectFreeze, ObjectHasOwn, ReflectDeleteProperty,
    } = internal.primordials;
    const { log, reportError, signal } = internal;
    const { bridge } = internal;
    const {
        isDirect, disableName, counts, isObject, read, textOf, define, BridgeError, checkName, request, fetchQueue,
        registerHandler, removeHandler, callWithPromise, callWithCallback, openStream, on, off, emit, describe, receiveText,
        makeSynchronous, later, beginSetUp, endSetUp,
    } = bridge;
    const global = globalThis;

    // Frozen, with the functions on it, so that no script puts its own in their place.
    function face(members) {
        for (const key in members) if (ObjectHasOwn(members, key)) ObjectFreeze(members[key]);
        return ObjectFreeze(members);
    }

    const ancestor = face({
        registerHandler(name, handler) {
            registerHandler(name, handler, true);
        },
        callHandler(name, data, responseCallback) {
            if (arguments.length === 2 && typeof data === "function") {
                callWithCallback(name, null, data);
                return;
            }
            if (typeof data === "function" && responseCallback === undefined) {
                // P12: kept, since a peer may rely on it, but hardly ever meant.
                log("warn", "callHandler(\"" + textOf(name) + "\", function, undefined) loses the function: "
                    + "with a third argument the second is data.");
            }
            callWithCallback(name, data, responseCallback);
        },
        disableJavscriptAlertBoxSafetyTimeout() {
            makeSynchronous();
        },
        _fetchQueue() {
            return fetchQueue();
        },
        _handleMessageFromObjC(message) {
            receiveText(message);
        },
        _handleMessageFromNative(message) {
            receiveText(message);
        },
    });

    const promising = {
        registerHandler(name, handler) {
            registerHandler(name, handler, false);
        },
        callHandler(name, data, options) {
            return callWithPromise(name, data, options);
        },
        notify(name, data) {
            checkName(name);
            request(name, data, undefined, 0, 0);
        },
        removeHandler(name) {
            return removeHandler(name);
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

    // P5-P7: the list goes first, each callback runs by itself, what is no list is none.
    function runSetUp() {
        const callbacks = read(global, "WVJBCallbacks");
        if (callbacks === undefined) return;
        if (!ReflectDeleteProperty(global, "WVJBCallbacks")) {
            // Declared with `var`, so it cannot be deleted.
            try { global.WVJBCallbacks = undefined; } catch { /* nor written */ }
        }
        const count = isObject(callbacks) ? read(callbacks, "length") : 0;
        for (let index = 0; index < count; index++) {
            try {
                const callback = callbacks[index];
                callback(ancestor);
            } catch (error) {
                reportError(error);
            }
        }
    }

    function finishSetUp() {
        runSetUp();
        endSetUp();
    }

    // P9: the page's own handler is left alone.
    function watchWindow() {
        const window = read(global, "window");
        if (!isObject(window) || read(window, "onerror")) return;
        try {
            window.onerror = (message, url, line) => {
                const place = textOf(url) + ":" + textOf(line);
                log("log", "WebViewJavascriptBridge: ERROR:" + textOf(message) + "@" + place);
            };
        } catch { /* a window of its own kind */ }
    }

    internal.installBridge = function installBridge() {
        if (isInstalled) {
            // P2, P3: nothing is made anew, but a list that was filled since is run.
            if (read(global, "WVJBCallbacks") !== undefined) later(runSetUp);
            return;
        }
        isInstalled = true;
        registerHandler(disableName, makeSynchronous, true);
        publish("WebViewJavascriptBridge", ancestor);
        publish("bridge", face(promising));
        publish("BridgeError", BridgeError);
        watchWindow();
        // P4: the ancestor signals at once, with nothing in the queue.
        if (!isDirect) signal();
        if (!isDirect || read(global, "WVJBCallbacks") !== undefined) {
            beginSetUp();
            later(finishSetUp);
        }
    };

    internal.disconnect = function disconnect(record) {
        bridge.failCalls(record);
        bridge.failStreams(record);
        bridge.abandonAll(record);
    };

    internal.counts = () => ({ ...counts });
})
