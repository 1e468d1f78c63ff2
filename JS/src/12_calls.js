// The calls of this side: their ids, deadlines, signals and outcomes.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const {
        JSONStringify, MathFloor, ObjectHasOwn, Promise, PromiseWithResolvers, StringPrototypeIncludes,
    } = internal.primordials;
    const { log, reportError, now, events, noteOrigin, enterOrigin, adoptError, inheritedDeadline, eventTime } = internal;
    const { bridge } = internal;
    const {
        isDirect, accepts, counts, isObject, read, textOf, beginning, makeError, recordOf, bareRecord, errorOf, encodingError,
        request, control, controls, alwaysAccepted, makeCallTable, makeEndedSet, isDeadline, beginDeadline, endDeadline, sweep, endDeadlines,
        sweepDeadlines,
    } = bridge;

    const pending = makeCallTable(), ended = makeEndedSet();
    let lastNumber = 0;
    // Whether any call was of the ancestor's form.
    let hasCallbacks = false;

    // P20 on a wire. In process no script sees an id, so a number will do.
    function newId() {
        lastNumber++;
        if (isDirect) return lastNumber;
        const id = "cb_" + lastNumber + "_" + MathFloor(now());
        return internal.epoch ? id + "_" + internal.epoch : id;
    }

    // The call in traces, a line each. Whoever calls once mostly calls again.
    let lastName, lastLabel, lastNote;
    function label(name) {
        if (name === lastName) return lastLabel;
        let shown = name.length > 200 ? beginning(name, 200) + "..." : name;
        if (StringPrototypeIncludes(shown, "\n")) shown = JSONStringify(shown);
        lastName = name;
        lastLabel = "callHandler \"" + shown + "\"";
        lastNote = "after " + lastLabel;
        return lastLabel;
    }

    // `resolve` and `reject` take the outcome of a call that takes errors, `callback` that of the ancestor's form.
    function makeCall(id, name, callback, resolve, reject, origin) {
        return {
            id, name, callback, resolve, reject, deadlines: null, due: 0, timeout: 0, previous: null, next: null,
            signal: undefined, follower: undefined, origin, onStream: undefined, onProgress: undefined,
            isSent: false, isCancelled: false, operation: bridge.operation,
        };
    }

    // What is taken out can be settled once, by whoever took it (P45).
    function takeCall(id) {
        const call = pending.take(id);
        if (call === undefined) return undefined;
        const list = call.deadlines;
        release(call);
        sweep(list);
        return call;
    }

    function release(call) {
        endDeadline(call);
        if (call.signal !== undefined) call.signal.unfollow(call.follower);
    }

    function fail(call, error) {
        if (call.reject !== undefined) call.reject(error);
        else {
            // W3: a callback of the ancestor's form never sees an error, so nobody but the host hears of it.
            const summary = error.code + ": " + error.message;
            log("warn", "The call of \"" + call.name + "\" failed, its callback is not called. " + summary);
            reportError(error);
        }
    }

    // `outcome` is true for a result, false for an error, 2 for a stream, whose id then is the data.
    function receiveResponse(id, outcome, data, handle) {
        const call = pending.take(id);
        if (call === undefined) {
            counts.unknownResponses++;
            // Nobody reads it, so nobody would ever stop it.
            if (outcome === 2) control(controls.stop, data, 0, undefined);
            return;
        }
        const list = call.deadlines;
        release(call);
        settle(call, outcome, data, handle);
        sweep(list);
    }

    function settle(call, outcome, data, handle) {
        // What waits for the answer, and all that it does at once, is what the caller asked for.
        enterOrigin(call.origin);
        if (outcome === false) {
            const error = errorOf(data, 0, handle);
            // Who made the call wants to know where, also where no handler ran.
            fail(call, adoptError(error, undefined, label(call.name), call.origin));
        } else if (outcome === 2) {
            if (call.onStream !== undefined) call.onStream(data);
            else {
                control(controls.stop, data, 0, undefined);
                fail(call, makeError("unsupported", "\"" + call.name + "\" answers with a stream: open it by openStream."));
            }
        } else if (call.resolve !== undefined) {
            call.resolve(typeof data === "object" && data !== null ? withoutThen(data) : data);
        } else {
            const { callback } = call;
            try { callback(data); } catch (error) { reportError(error); }
        }
    }

    // A promise would take a result that has a function `then` for another promise, and wait for what that function does.
    function withoutThen(data) {
        if (ObjectHasOwn(data, "then") && typeof data.then === "function") {
            delete data.then;
            log("warn", "A result has a function \"then\", which a promise cannot give: it is left out.");
        }
        return data;
    }

    function receiveProgress(id, data) {
        const call = pending.get(id);
        if (call === undefined || call.onProgress === undefined) return;
        enterOrigin(call.origin);
        const { onProgress } = call;
        try { onProgress(data); } catch (error) { reportError(error); }
    }

    // Tells the other side that nobody waits any more. What goes wrong here is nobody's loss.
    function cancelRemotely(id, thrown) {
        if (!bridge.peerIsExtended) return;
        try {
            control(controls.cancel, id, 0, bareRecord(recordOf(thrown, 0)));
        } catch { /* the call has ended in any case */ }
    }

    // As everywhere that takes a signal, its reason is what the promise is rejected with.
    function listen(call, id, signal) {
        const follower = signal.follow(() => {
            const cancelled = takeCall(id);
            if (cancelled === undefined) return;
            const reason = reasonOf(signal, cancelled.name);
            cancelled.isCancelled = true;
            if (cancelled.isSent) cancelRemotely(id, reason);
            cancelled.reject(reason);
        });
        if (call.isCancelled) signal.unfollow(follower);
        else {
            call.signal = signal;
            call.follower = follower;
        }
    }

    function reasonOf(signal, name) {
        const reason = signal.reason();
        return reason === undefined ? makeError("cancelled", "The call of \"" + name + "\" was cancelled.") : reason;
    }

    function timeoutOf(options) {
        const timeout = isObject(options) ? options.timeout : undefined;
        if (timeout === undefined || timeout === null) return internal.defaultTimeout;
        if (typeof timeout !== "number" || !(timeout >= 0)) {
            throw makeError(
                "invalidArgument",
                "A timeout is a number of milliseconds, 0 for none; this is " + textOf(timeout) + ".",
            );
        }
        return timeout;
    }

    // A script may have a class of signals of its own.
    function foreignSignal(signal) {
        return {
            __proto__: null,
            isForeign: true,
            isAborted: () => signal.aborted,
            reason: () => read(signal, "reason"),
            follow: (run) => {
                signal.addEventListener("abort", run, { __proto__: null, once: true });
                return run;
            },
            unfollow: (run) => {
                try { signal.removeEventListener("abort", run); } catch { /* not our error */ }
            },
        };
    }

    function signalOf(options) {
        const signal = isObject(options) ? options.signal : undefined;
        if (signal === undefined || signal === null) return undefined;
        const known = events.followableOf(signal);
        if (known !== undefined) return known;
        const isSignal = isObject(signal)
            && typeof signal.aborted === "boolean" && typeof signal.addEventListener === "function";
        if (!isSignal) {
            throw makeError("invalidArgument", "A signal is an AbortSignal; this is " + textOf(signal) + ".");
        }
        return foreignSignal(signal);
    }

    function progressOf(options) {
        const onProgress = isObject(options) ? options.onProgress : undefined;
        if (onProgress === undefined || onProgress === null) return undefined;
        if (typeof onProgress !== "function") {
            throw makeError("invalidArgument", "onProgress is a function; this is " + textOf(onProgress) + ".");
        }
        return onProgress;
    }

    function checkName(name) {
        if (typeof name !== "string") {
            throw makeError("invalidArgument", "A handler's name is a text; this is " + textOf(name) + ".");
        }
    }

    // A stack costs as much as half of a call. Who makes so many at once makes them in one place.
    const maximumStacks = 32;

    function noteCall(name) {
        if (typeof name !== "string") return null;
        if (name !== lastName) label(name);
        return noteOrigin(lastNote, pending.size < maximumStacks);
    }

    function timeUntil(deadline) {
        const left = deadline - eventTime();
        if (left <= 0) throw makeError("deadlineExceeded", "The call on whose behalf this one is made is over its time.");
        return left;
    }

    // `prepare(call, id)` adds what is special to a kind of call before it is sent, and gives what it accepts in return.
    function begin(name, data, options, resolve, reject, origin, prepare) {
        checkName(name);
        let timeout = timeoutOf(options);
        // A call made on behalf of another has no more time than that one has left.
        const inherited = inheritedDeadline();
        const left = inherited === Infinity ? Infinity : timeUntil(inherited);
        const isInherited = left !== Infinity && !(timeout > 0 && timeout < left);
        if (isInherited) timeout = left;
        const signal = signalOf(options);
        if (signal !== undefined && signal.isAborted()) throw reasonOf(signal, name);
        const hasDeadline = isDeadline(timeout);
        const id = newId();
        const call = makeCall(id, name, undefined, resolve, reject, origin);
        const accepted = accepts.errors | alwaysAccepted | prepare(call, id, options);
        // What reads the options may have aborted it.
        if (signal !== undefined && signal.isAborted()) throw reasonOf(signal, name);
        pending.add(call);
        try {
            if (signal !== undefined) {
                listen(call, id, signal);
                // One of another class may say at once that it has aborted.
                if (call.isCancelled) return;
            }
            if (hasDeadline) beginDeadline(call, timeout, isInherited ? inherited : undefined);
            // Taking the data may run a script that cancels this very call: then it has settled, and nothing is sent.
            request(name, data, id, hasDeadline ? timeout : 0, accepted, false, signal === undefined ? undefined : call);
            call.isSent = true;
        } catch (error) {
            takeCall(id);
            throw error;
        }
    }

    // Half the time of a constructor with a function of its own (measured); an older host of the tests has none.
    const makePromise = PromiseWithResolvers ?? (() => {
        let resolve, reject;
        const promise = new Promise((fulfil, refuse) => {
            resolve = fulfil;
            reject = refuse;
        });
        return { promise, resolve, reject };
    });

    function callWithPromise(name, data, options) {
        // Outside the promise's constructor, which is no caller.
        const origin = noteCall(name);
        const { promise, resolve, reject } = makePromise();
        try {
            begin(name, data, options, resolve, reject, origin, options === undefined ? acceptNothing : acceptProgress);
        } catch (error) {
            reject(error);
        }
        return promise;
    }

    function acceptNothing() {
        return 0;
    }

    function acceptProgress(call, id, options) {
        call.onProgress = progressOf(options);
        return call.onProgress === undefined ? 0 : accepts.progress;
    }

    function expire(id, timeout) {
        const call = pending.get(id);
        if (call === undefined) return;
        takeCall(id);
        const message = "The call of \"" + call.name + "\" had no reply after " + timeout + " ms.";
        enterOrigin(call.origin);
        const error = makeError("deadlineExceeded", message);
        if (call.reject === undefined) {
            fail(call, error);
            return;
        }
        cancelRemotely(id, error);
        adoptError(error, undefined, label(call.name), call.origin);
        call.reject(error);
    }

    function callWithCallback(name, data, callback) {
        if (name !== undefined) checkName(name);
        else if (isDirect) {
            // On a wire this is the message `{}` (P11), which every receiver drops (P60).
            log("warn", "callHandler was called without a name; nothing is sent.");
            return;
        }
        let id;
        if (typeof callback === "function") {
            id = newId();
            const call = makeCall(id, name, callback, undefined, undefined, noteCall(name));
            pending.add(call);
            hasCallbacks = true;
            // Known on this side alone (W2): a reply that never comes would keep it for ever.
            const timeout = internal.defaultTimeout;
            if (isDeadline(timeout)) beginDeadline(call, timeout, undefined);
        } else if (callback) {
            log("warn", "The callback of the call of \"" + name + "\" is no function; no reply is asked for.");
        }
        try {
            request(name, data, id, 0, 0, true);
        } catch (error) {
            if (id !== undefined) takeCall(id);
            throw error;
        }
    }

    function notify(name, data) {
        checkName(name);
        request(name, data, undefined, 0, 0);
    }

    // The result of a synchronous handler, in the same turn. It overtakes what was sent before and waits.
    function callSynchronously(name, data) {
        checkName(name);
        if (!isDirect) {
            throw makeError("unsupported", "\"" + name + "\" cannot be called synchronously: its answer comes as a message.");
        }
        let isDone = false, isResult = false, result;
        try {
            internal.sendSynchronous(name, data, (ok, value) => {
                isDone = true;
                isResult = ok;
                result = value;
            });
        } catch (error) {
            throw encodingError(error, name);
        }
        if (isResult) return result;
        const error = errorOf(result, 0, internal.takeSynchronousError());
        throw adoptError(error, undefined, label(name), noteCall(name));
    }

    // Ends the calls of an operation, one of whose turns was stopped; without a record it has ended itself: its calls are let
    // go, and nothing that waits for them runs.
    function endCalls(operation, record) {
        ended.take(pending, operation, record === undefined, (call) => {
            if (pending.take(call.id) === undefined) return;
            endDeadline(call);
            if (call.signal !== undefined && !(record === undefined && call.signal.isForeign)) call.signal.unfollow(call.follower);
            if (record !== undefined && call.reject !== undefined) {
                call.reject(adoptError(errorOf(record, 0), undefined, label(call.name), call.origin));
            }
        });
        endDeadlines(operation, record === undefined);
    }

    // Ends all calls that there were: the program has stopped the script, or has gone.
    function failCalls(record) {
        let dropped = 0;
        ended.take(pending, undefined, false, (call) => {
            if (pending.take(call.id) === undefined) return;
            release(call);
            if (call.reject === undefined) dropped++;
            else call.reject(adoptError(errorOf(record, 0), undefined, label(call.name), call.origin));
        });
        sweepDeadlines();
        if (dropped > 0) {
            log("warn", dropped + " calls with a callback get no reply. " + errorOf(record, 0).message);
        }
    }

    bridge.begin = begin;
    bridge.takeCall = takeCall;
    bridge.cancelRemotely = cancelRemotely;
    bridge.noteCall = noteCall;
    bridge.checkName = checkName;
    bridge.signalOf = signalOf;
    bridge.callSynchronously = callSynchronously;
    bridge.callWithPromise = callWithPromise;
    bridge.notify = notify;
    bridge.callWithCallback = callWithCallback;
    bridge.receiveResponse = receiveResponse;
    bridge.receiveProgress = receiveProgress;
    bridge.failCalls = failCalls;
    bridge.noteEndedCalls = (operation) => { ended.note(pending, operation); };
    bridge.endCalls = endCalls;
    bridge.expireCall = expire;
    bridge.forEachCall = (body) => { pending.forEach((call) => { body(call.id, call.name); }); };
    internal.pendingCount = () => pending.size;
    // Whether what waits for a reply is a callback, which runs before any promise does.
    internal.isCallback = (id) => {
        if (!hasCallbacks) return false;
        const call = pending.get(id);
        return call !== undefined && call.callback !== undefined;
    };
})
