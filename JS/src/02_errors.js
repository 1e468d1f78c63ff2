// Errors across the border: anything that was thrown taken apart into plain data, errors made of data, and the memory
// of who asked for what runs now, which the engine's own stacks do not have.
(function (internal) {
    "use strict";

    const { native, failure } = internal;
    const {
        uncurryThis,
        ArrayIsArray: isArray,
        Error: NativeError,
        ObjectDefineProperty: defineProperty,
        ObjectGetOwnPropertyDescriptor: getOwnPropertyDescriptor,
        ObjectGetPrototypeOf: getPrototypeOf,
        ObjectHasOwn: hasOwn,
        ObjectKeys: objectKeys,
        ReflectApply: apply,
        String: NativeString,
        StringPrototypeSlice: slice,
        StringPrototypeStartsWith: startsWith,
    } = internal.primordials;
    const indexOf = uncurryThis(String.prototype.indexOf);
    const weakGet = uncurryThis(WeakMap.prototype.get);
    const weakSet = uncurryThis(WeakMap.prototype.set);
    const { isError } = NativeError;

    function define(target, key, value) {
        defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    }

    // ---------------------------------------------------------------- who asked for what runs now

    // The engine forgets at each `await`, timer and message who asked for it. So whoever asks leaves a note with an
    // error that holds the stack, which the engine writes as text only if somebody reads it (0.2 us, measured). What
    // runs later runs under that note, with its microtasks, until the next timer or message.
    const maximumHops = 8;
    let origin = null;
    // Whether something is being shown for an error.
    let isShowing = false;

    // A note under the present one. The oldest are kept and the latest: a loop that waits for ever grows no chain.
    // Without a stack where that would cost too much: then only what was asked for is known.
    internal.noteOrigin = function noteOrigin(label, hasStack = true) {
        const until = origin === null ? null : origin.until;
        const trace = origin === null ? undefined : origin.trace;
        if (!internal.capturesAsyncStacks) return until === null && trace === undefined ? null : root(until, trace);
        const parent = origin !== null && origin.depth >= maximumHops ? origin.parent : origin;
        return {
            label, site: hasStack ? new NativeError("") : null, parent, depth: parent === null ? 1 : parent.depth + 1,
            trail: undefined, until, time: Infinity, trace,
        };
    };

    // The note of what nobody in a script asked for. `until` is the note whose `time` is when it must be done.
    function root(until, trace) {
        return { label: "", site: null, parent: null, depth: 0, trail: "", until, time: Infinity, trace };
    }

    // Begins what the host asks for and waits for until then, on the clock of `eventTime`. Gives the note whose `time` counts
    // for all that comes of it: who has answered sets it to Infinity, as nobody waits for the rest.
    internal.enterDeadline = function enterDeadline(time) {
        origin = root(null, origin === null ? undefined : origin.trace);
        origin.time = time;
        origin.until = origin;
        return origin;
    };

    // Begins what belongs to a trace, and what it asks for.
    internal.enterTrace = function enterTrace(trace) {
        origin = root(origin === null ? null : origin.until, trace);
    };

    internal.currentTrace = function currentTrace() {
        return origin === null ? undefined : origin.trace;
    };

    // The deadline of the call on whose behalf this runs, on the clock of `eventTime`; Infinity where there is none.
    internal.inheritedDeadline = function inheritedDeadline() {
        return origin === null || origin.until === null ? Infinity : origin.until.time;
    };

    // Begins what was asked for; null for what nobody in a script did.
    internal.enterOrigin = function enterOrigin(note) {
        const outer = origin;
        origin = note;
        // The host enters none after it has stopped a script, which skips the clean-up of shown().
        isShowing = false;
        return outer;
    };

    internal.capturesAsyncStacks = true;

    function ownText(object, key) {
        const descriptor = getOwnPropertyDescriptor(object, key);
        return descriptor !== undefined && typeof descriptor.value === "string" ? descriptor.value : "";
    }

    // The package's own lines, and functions of the engine that a script did not call: they go on with an async function
    // or run a reaction.
    const engineNames = ["asyncF", "asyncG", "generatorResume", "promise"];
    function isInternal(line) {
        if (indexOf(line, "jsbridge:internal", 0) >= 0) return true;
        const at = indexOf(line, "@", 0);
        if (at < 0 || slice(line, at + 1) !== "[native code]") return false;
        const name = slice(line, 0, at);
        if (name === "") return true;
        for (let index = 0; index < engineNames.length; index++) if (startsWith(name, engineNames[index])) return true;
        return false;
    }

    // A stack without the lines of this package and of the engine.
    function withoutInternals(stack) {
        let result = "";
        for (let start = 0; start < stack.length;) {
            let end = indexOf(stack, "\n", start);
            if (end < 0) end = stack.length;
            const line = slice(stack, start, end);
            if (!isInternal(line)) result += (result === "" ? "" : "\n") + line;
            start = end + 1;
        }
        return result;
    }

    // A hop as a line of a stack, and the frames of whoever asked.
    function hop(label, site) {
        return label + "@[async]" + (site === null ? "" : "\n" + withoutInternals(ownText(site, "stack")));
    }

    // The hops to a note, innermost first; made once, however many errors ask.
    function trailTo(note) {
        if (note.trail === undefined) {
            const rest = note.parent === null ? "" : trailTo(note.parent);
            note.trail = hop(note.label, note.site) + (rest === "" ? "" : "\n" + rest);
        }
        return note.trail;
    }

    // ---------------------------------------------------------------- errors of Swift in the hands of scripts

    // What an error was made of: the host's handle, and the beginning of its stack that the host knows better.
    const origins = new WeakMap();

    // Notes what an error was made of, and whoever asked for it.
    internal.adoptError = function adoptError(error, handle, label, note) {
        const known = ownText(error, "stack");
        if (handle !== undefined && handle !== null) weakSet(origins, error, { __proto__: null, handle, known });
        if (note !== undefined && note !== null && note.label !== "") {
            const value = (known === "" ? "" : known + "\n") + hop(label, note.site);
            defineProperty(error, "stack", { __proto__: null, value, writable: true, enumerable: false, configurable: true });
        }
        return error;
    };

    // What a throwing Swift function throws into a script.
    internal.makeError = function makeError(record, handle) {
        const error = failure(record.code, record.msg);
        if (hasOwn(record, "data")) define(error, "data", record.data);
        if (hasOwn(record, "cause")) {
            defineProperty(error, "cause", {
                __proto__: null, value: makeError(record.cause), writable: true, configurable: true,
            });
        }
        if (handle !== undefined) weakSet(origins, error, { __proto__: null, handle, known: "" });
        return error;
    };

    const isObject = (value) => typeof value === "object" && value !== null || typeof value === "function";

    // The handle of the Swift error that an error was made of, if any, with the stack that the host does not know.
    internal.originOf = function originOf(thrown, stack) {
        const entry = isObject(thrown) ? weakGet(origins, thrown) : undefined;
        if (entry === undefined) return undefined;
        const isKnown = entry.known !== "" && typeof stack === "string" && startsWith(stack, entry.known);
        return {
            __proto__: null, handle: entry.handle,
            stack: isKnown ? slice(stack, entry.known.length + 1) : stack,
        };
    };

    // A stack with the hops that led to what runs now.
    internal.withTrail = function withTrail(stack) {
        if (origin === null || origin.label === "") return stack;
        return typeof stack === "string" && stack !== "" ? stack + "\n" + trailTo(origin) : trailTo(origin);
    };

    // ---------------------------------------------------------------- what was thrown, as data

    const maximumCauses = internal.maximumCauses;

    function read(object, key) {
        try { return object[key]; } catch { return undefined; }
    }

    // What was thrown, as text: what its own toString says, and as console shows it where that says nothing.
    function textOf(value) {
        if (!isObject(value)) return NativeString(value);
        let said;
        try { said = "" + value; } catch { /* shown below */ }
        if (said !== undefined && typeof value !== "function" && !isArray(value) && !startsWith(said, "[object ")) return said;
        return shown(value, textOptions) ?? said ?? "a value that has no text";
    }

    // A value as console shows it, which asks the host; undefined where that fails. Not again inside: the host's functions
    // of a closed context throw, and what they throw is described here.
    function shown(value, options) {
        if (isShowing || internal.show === undefined) return undefined;
        isShowing = true;
        try { return internal.show(value, options); } catch { return undefined; } finally { isShowing = false; }
    }
    internal.thrownText = textOf;
    const textOptions = { __proto__: null, maxStringLength: 1000, maxArrayLength: 20 };

    const data = (value) => typeof value === "function" || typeof value === "symbol" ? undefined : value;
    const text = (value) => typeof value === "string" ? value : undefined;
    const number = (value) => typeof value === "number" ? value : undefined;

    // Takes anything that was thrown apart. Never throws, however hostile the value; its getters run.
    function describe(thrown) {
        const record = { __proto__: null, name: undefined, message: undefined, stack: undefined, line: undefined,
            column: undefined, sourceURL: undefined, code: undefined, data: undefined, thrown: undefined,
            handle: undefined, cause: undefined, details: undefined };
        if (!isObject(thrown)) {
            record.message = textOf(thrown);
            record.thrown = data(thrown);
            return record;
        }
        record.name = text(read(thrown, "name"));
        record.message = text(read(thrown, "message"));
        record.stack = text(read(thrown, "stack"));
        // The stack knows the place, except of what never ran.
        if (record.name === "SyntaxError" || record.stack === undefined || record.stack === "") {
            record.line = number(read(thrown, "line"));
            record.column = number(read(thrown, "column"));
            record.sourceURL = text(read(thrown, "sourceURL"));
        }
        record.code = text(read(thrown, "code"));
        record.data = data(read(thrown, "data"));
        if (record.message === undefined) {
            record.message = textOf(thrown);
            record.thrown = data(thrown);
        }
        const made = weakGet(origins, thrown);
        if (made !== undefined) {
            const { handle, stack } = internal.originOf(thrown, record.stack);
            record.handle = handle;
            record.stack = stack;
        }
        record.cause = read(thrown, "cause");
        record.details = membersText(thrown, record.name);
        return record;
    }

    // Whether an error has members of its own besides those that a record has; symbols are not asked for. The engine keeps
    // the keys of a shape, so an ordinary error pays 0.15 us of 2 for this, and would pay 0.25 for a loop over its members.
    function hasMembers(thrown, name) {
        if (name === "AggregateError") return true;
        const keys = objectKeys(thrown);
        for (let index = 0; index < keys.length; index++) {
            switch (keys[index]) {
            case "name": case "message": case "stack": case "code": case "data": case "cause": break;
            // The engine's own, which a SyntaxError shows.
            case "line": case "column": case "sourceURL": break;
            default: return true;
            }
        }
        return false;
    }

    function membersText(thrown, name) {
        try {
            if (!isError(thrown) || !hasMembers(thrown, name)) return undefined;
            const text = shown(thrown, membersOptions);
            return text === "{}" ? undefined : text;
        } catch { return undefined; }
    }
    const membersOptions = { __proto__: null, isMembersOnly: true, maxStringLength: 1000, maxArrayLength: 20 };

    function cutCauses(message) {
        return { __proto__: null, name: undefined, message, stack: undefined, line: undefined, column: undefined,
            sourceURL: undefined, code: "limitExceeded", data: undefined, thrown: undefined, handle: undefined,
            cause: undefined, details: undefined };
    }

    // The causes of an error, each inside the one before; where the chain is cut, the last one says so.
    function causesOf(thrown, first) {
        const seen = [thrown];
        let outermost, last;
        const add = (record) => {
            if (last === undefined) outermost = record;
            else last.cause = record;
            last = record;
        };
        for (let cause = first; cause !== undefined;) {
            for (let index = 0; index < seen.length; index++) {
                if (seen[index] === cause && isObject(cause)) {
                    add(cutCauses("the chain of causes comes back to itself here"));
                    return outermost;
                }
            }
            if (seen.length > maximumCauses) {
                add(cutCauses("too many causes (limit " + maximumCauses + ")"));
                return outermost;
            }
            const record = describe(cause);
            define(seen, seen.length, cause);
            cause = record.cause;
            record.cause = undefined;
            add(record);
        }
        return outermost;
    }

    // What does not go as arguments: taken in one piece, or without what cannot be taken.
    function takeRest(record, causes) {
        const rest = { __proto__: null, data: record.data, thrown: record.thrown, cause: causes };
        let handles = null;
        for (let each = causes, depth = 0; each !== undefined; each = each.cause, depth++) {
            if (each.handle !== undefined) handles = { __proto__: null, depth, handle: each.handle, next: handles };
            // No data.
            each.handle = undefined;
        }
        try {
            internal.take(rest, native.consumeValue);
        } catch {
            for (let each = rest; each !== undefined; each = each.cause) each.data = each.thrown = undefined;
            internal.takeOwn(rest, native.consumeValue);
        }
        for (; handles !== null; handles = handles.next) native.noteCauseOrigin(handles.depth, handles.handle);
    }

    // Describes what was thrown to the host, which makes its error of it: one crossing for an ordinary error, without
    // an object for its parts. Whatever runs scripts (getters, toJSON) comes before the host is told anything.
    internal.describeInto = function describeInto(thrown, consume, reference) {
        const known = origin === null ? undefined : trailTo(origin);
        if (typeof thrown === "object" && thrown !== null && weakGet(origins, thrown) === undefined) {
            let name, message, stack, code, isOrdinary = false;
            try {
                ({ name, message, stack, code } = thrown);
                isOrdinary = typeof name === "string" && name !== "SyntaxError" && typeof message === "string"
                    && typeof stack === "string" && stack !== "" && (code === undefined || typeof code === "string")
                    && thrown.data === undefined && thrown.cause === undefined && !hasMembers(thrown, name);
            } catch { /* read one by one below */ }
            if (isOrdinary) return consume(name, message, stack, code, undefined, known, reference);
        }
        const record = describe(thrown);
        const hasRest = record.data !== undefined || record.thrown !== undefined || record.cause !== undefined;
        if (hasRest) takeRest(record, causesOf(thrown, record.cause));
        return consume(
            record.name, record.message, record.stack, record.code, record.handle, known, reference, hasRest,
            record.line, record.column, record.sourceURL, record.details,
        );
    };

    // Calls a function that threw the last time: what it throws is caught here, as the engine tells its inspector of
    // every error that leaves a script, which costs more than the rest of the throw. `caught` stands for the result then.
    internal.callCatching = function callCatching(called, self, count, first, second) {
        try {
            switch (count) {
            case 0: return apply(called, self, []);
            case 1: return apply(called, self, [first]);
            default: return apply(called, self, [first, second]);
            }
        } catch (error) {
            return internal.describeInto(error, native.consumeCaught, error);
        }
    };

    // ---------------------------------------------------------------- reading without running anything

    // A property of an error as data: its own, or a prototype's; what a getter would say is not asked.
    function plain(object, key) {
        for (let each = object, depth = 0; each !== null && depth < 32; each = getPrototypeOf(each), depth++) {
            const descriptor = getOwnPropertyDescriptor(each, key);
            if (descriptor !== undefined) return descriptor.value;
        }
        return undefined;
    }

    // What a person wants to see of an error, without running anything of it. Only for what `Error.isError` is true
    // of, which no proxy is; a proxy among its prototypes may throw.
    internal.glanceAt = function glanceAt(error) {
        const seen = (key, among) => {
            const value = plain(error, key);
            return typeof value === "string" ? value : among;
        };
        return {
            __proto__: null, name: seen("name", "Error"), message: seen("message", ""), code: seen("code", undefined),
            stack: withoutInternals(seen("stack", "")),
        };
    };
})
