// The globals that a bare context lacks and that every script uses: console, timers, queueMicrotask.
(function (internal) {
    "use strict";

    const { native } = internal;
    const { call: callNative, now } = native;
    const {
        uncurryThis,
        ArrayBufferIsView: isView,
        ArrayIsArray: isArray,
        DataViewPrototypeGetByteLength: dataViewLength,
        DatePrototypeGetTime: dateTime,
        Error: NativeError,
        JSONStringify: jsonText,
        Map: NativeMap,
        MapPrototypeDelete: mapDelete,
        MapPrototypeGet: mapGet,
        MapPrototypeHas: mapHas,
        MapPrototypeSet: mapSet,
        MathFloor: floor,
        MathMin: min,
        ObjectDefineProperty: defineProperty,
        ObjectGetOwnPropertyDescriptor: getOwnPropertyDescriptor,
        PromisePrototypeThen: promiseThen,
        PromiseResolve: promiseResolve,
        ReflectApply: apply,
        ReflectOwnKeys: ownKeys,
        RegExpPrototypeGetSource: regExpSource,
        String: toText,
        StringPrototypeCharCodeAt: charCodeAt,
        StringPrototypeSlice: slice,
        TypeError: NativeTypeError,
        TypedArrayPrototypeGetLength: typedArrayLength,
        TypedArrayPrototypeGetTag: typedArrayTag,
        regExpFlags,
    } = internal.primordials;
    const toNumber = Number;
    const { isFinite } = Number;
    const repeat = uncurryThis(String.prototype.repeat);
    const charAt = uncurryThis(String.prototype.charAt);
    const dateText = uncurryThis(Date.prototype.toISOString);
    const getter = (prototype, key) => uncurryThis(getOwnPropertyDescriptor(prototype, key).get);
    const mapForEach = uncurryThis(Map.prototype.forEach);
    const setForEach = uncurryThis(Set.prototype.forEach);
    const setSize = getter(Set.prototype, "size");
    const mapSize = getter(Map.prototype, "size");
    const isError = Error.isError;
    const toFixed = uncurryThis(Number.prototype.toFixed);
    const { max, ceil } = Math;

    const define = (name, value) => defineProperty(globalThis, name, {
        __proto__: null, value, writable: true, enumerable: false, configurable: true,
    });
    const append = (list, value) => defineProperty(list, list.length, {
        __proto__: null, value, writable: true, enumerable: true, configurable: true,
    });

    // ---------------------------------------------------------------- timers and microtasks

    const timers = new NativeMap();
    let nextTimer = 1;

    function start(callback, delay, repeats, values) {
        if (typeof callback !== "function") {
            throw new NativeTypeError("a timer needs a function, not " + (callback === null ? "null" : typeof callback));
        }
        let milliseconds = toNumber(delay);
        if (!(milliseconds > 0)) milliseconds = 0;
        // As browsers do: what does not fit 31 bits is no delay at all.
        if (milliseconds > 2147483647) milliseconds = 0;
        if (repeats && milliseconds < 1) milliseconds = 1;
        const id = nextTimer++;
        const origin = internal.noteOrigin(repeats ? "setInterval" : "setTimeout");
        mapSet(timers, id, { __proto__: null, callback, values, milliseconds, repeats, origin });
        try {
            native.startTimer(id, milliseconds);
        } catch (error) {
            mapDelete(timers, id);
            throw error;
        }
        return id;
    }

    function stop(id) {
        if (mapDelete(timers, id)) native.stopTimer(id);
    }

    function stopOfScript(id) {
        const key = typeof id === "number" ? id : toNumber(id);
        if (key > 0) stop(key);
    }

    // One that is over never fires: who would have paid for it has ended.
    internal.fireTimer = function fireTimer(id, isOver) {
        const timer = mapGet(timers, id);
        if (timer === undefined) return;
        if (isOver || !timer.repeats) mapDelete(timers, id);
        if (isOver) return;
        // Until the next one, so that the microtasks of this one belong to it too.
        internal.enterOrigin(timer.origin);
        try {
            apply(timer.callback, undefined, timer.values);
        } catch (error) {
            internal.reportError(error);
        } finally {
            // Whatever the callback and the report of its error do, an interval goes on until it is cleared.
            if (timer.repeats && mapHas(timers, id)) native.startTimer(id, timer.milliseconds);
        }
    };

    // Their ids are negative: what a script clears, by whatever number, is never one of these.
    let nextOwnTimer = -1;
    function startOwn(callback, milliseconds, isUnreferenced) {
        const id = nextOwnTimer--;
        mapSet(timers, id, { __proto__: null, callback, values: [], milliseconds, repeats: false, origin: null });
        try {
            native.startTimer(id, milliseconds, isUnreferenced);
        } catch (error) {
            mapDelete(timers, id);
            throw error;
        }
        return id;
    }

    // Without a constructor `then` makes a promise of the language's own class: asked of Promise.prototype, the class
    // would be a script's choice.
    let resolved;
    function makeResolved() {
        return defineProperty(promiseResolve(undefined), "constructor", { __proto__: null, value: undefined });
    }

    internal.setTimer = (callback, milliseconds) => startOwn(callback, milliseconds, 0);
    // For a wait of any length that keeps no run going.
    internal.setUnreferencedTimer = (callback, milliseconds) => startOwn(callback, milliseconds, 1);
    internal.clearTimer = stop;
    // Milliseconds since the context was made, by the clock that timers go by.
    internal.eventTime = () => callNative(now);
    internal.now = Date.now;

    define("setTimeout", function setTimeout(callback, delay, ...values) { return start(callback, delay, false, values); });
    define("setInterval", function setInterval(callback, delay, ...values) { return start(callback, delay, true, values); });
    define("clearTimeout", function clearTimeout(id) { stopOfScript(id); });
    define("clearInterval", function clearInterval(id) { stopOfScript(id); });
    define("queueMicrotask", function queueMicrotask(callback) {
        if (typeof callback !== "function") throw new NativeTypeError("queueMicrotask needs a function");
        const origin = internal.noteOrigin("queueMicrotask");
        promiseThen(resolved ??= makeResolved(), () => {
            const outer = internal.enterOrigin(origin);
            try { callback(); } catch (error) { internal.reportError(error); } finally { internal.enterOrigin(outer); }
        });
    });

    // An error that no script catches: reported once, with where it came from, unless the page says that it has dealt with it.
    internal.reportError = function reportError(error) {
        if (internal.tellPage !== undefined && internal.tellPage(error)) return;
        internal.describeInto(error, native.reportError);
    };

    // ---------------------------------------------------------------- console

    // No expression: `test` asks `exec`, which a script can replace.
    function isSimpleKey(key) {
        for (let index = 0; index < key.length; index++) {
            const unit = charCodeAt(key, index);
            const isLetter = (unit | 32) >= 97 && (unit | 32) <= 122 || unit === 95 || unit === 36;
            if (!isLetter && !(index > 0 && unit >= 48 && unit <= 57)) return false;
        }
        return key !== "";
    }

    const keyText = (key) => typeof key === "symbol" ? "[" + toText(key) + "]" : isSimpleKey(key) ? key : jsonText(key);

    // Shows a value as a person wants to read it. Getters are named, not run: logging changes nothing.
    function show(value, depth, seen) {
        switch (typeof value) {
        case "string": return depth === 0 ? value : jsonText(value);
        case "bigint": return toText(value) + "n";
        case "symbol": return toText(value);
        case "number": return value === 0 && 1 / value < 0 ? "-0" : toText(value);
        case "function": case "object": break;
        default: return toText(value);
        }
        if (value === null) return "null";
        const outer = seen.length;
        try {
            return typeof value === "function" ? showFunction(value) : showObject(value, depth, seen);
        } catch {
            // A revoked proxy, or one whose traps throw: logging throws nothing.
            seen.length = outer;
            return typeof value === "function" ? "[function]" : "[object]";
        }
    }

    function showFunction(value) {
        const name = getOwnPropertyDescriptor(value, "name");
        const text = name && typeof name.value === "string" ? name.value : "";
        return text === "" ? "[function]" : "[function " + text + "]";
    }

    function showObject(value, depth, seen) {
        for (let index = 0; index < seen.length; index++) if (seen[index] === value) return "[circular]";
        if (isError(value)) return showError(value, depth, seen);
        try {
            const time = dateTime(value);
            return time === time ? dateText(value) : "Invalid Date";
        } catch { /* not a date */ }
        try {
            return "/" + regExpSource(value) + "/" + regExpFlags(value);
        } catch { /* not a regular expression */ }
        if (depth > 4) return isArray(value) ? "[array]" : "[object]";
        append(seen, value);
        const text = showContainer(value, depth, seen);
        seen.length--;
        return text;
    }

    function showError(error, depth, seen) {
        const record = internal.glanceAt(error);
        const exception = internal.events.exceptionOf(error);
        if (exception !== undefined) {
            record.name = exception.name;
            record.message = exception.message;
        }
        let text = record.name + ": " + record.message;
        if (record.code !== undefined) text += " (" + record.code + ")";
        if (record.stack !== "" && depth === 0) text += "\n    at " + replaceLines(record.stack);
        const cause = getOwnPropertyDescriptor(error, "cause");
        if (cause && "value" in cause && cause.value !== undefined && seen.length < 8) {
            append(seen, error);
            text += "\ncaused by " + show(cause.value, depth, seen);
            seen.length--;
        }
        return text;
    }

    function replaceLines(stack) {
        let result = "";
        for (let index = 0; index < stack.length; index++) {
            const unit = charAt(stack, index);
            result += unit === "\n" ? "\n    at " : unit;
        }
        return result;
    }

    function showContainer(value, depth, seen) {
        const parts = [];
        const limit = 100;
        if (isArray(value)) {
            const length = value.length;
            if (typeof length !== "number") return "[array]";
            for (let index = 0; index < min(length, limit); index++) append(parts, showMember(value, index, depth, seen));
            if (length > limit) append(parts, (length - limit) + " more");
            return wrap("[", parts, "]");
        }
        if (isView(value)) {
            if (typedArrayTag(value) === undefined) return "DataView(" + dataViewLength(value) + ")";
            const length = typedArrayLength(value);
            for (let index = 0; index < min(length, limit); index++) append(parts, show(value[index], depth + 1, seen));
            if (length > limit) append(parts, (length - limit) + " more");
            return wrap("[", parts, "]");
        }
        try {
            const size = mapSize(value);
            mapForEach(value, (member, key) => {
                if (parts.length < limit) append(parts, show(key, depth + 1, seen) + " => " + show(member, depth + 1, seen));
            });
            return "Map(" + size + ") " + wrap("{", parts, "}");
        } catch { /* not a map */ }
        try {
            const size = setSize(value);
            setForEach(value, (member) => { if (parts.length < limit) append(parts, show(member, depth + 1, seen)); });
            return "Set(" + size + ") " + wrap("{", parts, "}");
        } catch { /* not a set */ }
        let keys;
        try { keys = ownKeys(value); } catch { return "[object]"; }
        for (let index = 0; index < keys.length; index++) {
            let descriptor;
            try { descriptor = getOwnPropertyDescriptor(value, keys[index]); } catch { continue; }
            if (descriptor === undefined || !descriptor.enumerable) continue;
            if (parts.length >= limit) { append(parts, (keys.length - limit) + " more"); break; }
            const text = "value" in descriptor ? show(descriptor.value, depth + 1, seen) : "[getter]";
            append(parts, keyText(keys[index]) + ": " + text);
        }
        return wrap("{", parts, "}");
    }

    function showMember(list, index, depth, seen) {
        const descriptor = getOwnPropertyDescriptor(list, index);
        if (descriptor === undefined) return "";
        return "value" in descriptor ? show(descriptor.value, depth + 1, seen) : "[getter]";
    }

    function wrap(open, parts, close) {
        if (parts.length === 0) return open + close;
        let inner = "";
        for (let index = 0; index < parts.length; index++) inner += (index === 0 ? "" : ", ") + parts[index];
        const pad = open === "{" ? " " : "";
        return open + pad + inner + pad + close;
    }

    // %s %d %i %f %o %O %c %% as the console standard has them.
    function format(values) {
        let text = "";
        let next = 0;
        if (typeof values[0] === "string" && values.length > 1) {
            const template = values[0];
            next = 1;
            for (let index = 0; index < template.length; index++) {
                const unit = charAt(template, index);
                const kind = unit === "%" && index + 1 < template.length ? charAt(template, index + 1) : "";
                if (kind === "%") { text += "%"; index++; continue; }
                if (kind === "" || next >= values.length) { text += unit; continue; }
                let replacement;
                switch (kind) {
                case "s": replacement = show(values[next], 0, []); break;
                case "d": case "i": replacement = integerText(values[next]); break;
                case "f": replacement = numberText(values[next]); break;
                case "o": case "O": replacement = show(values[next], 1, []); break;
                case "c": replacement = ""; break;
                default: text += unit; continue;
                }
                text += replacement;
                next++;
                index++;
            }
        }
        for (; next < values.length; next++) text += (next === 0 ? "" : " ") + show(values[next], 0, []);
        return text;
    }

    // Functions and objects are no numbers here: to ask them would run a script's code.
    const hasNumber = (value) => typeof value !== "symbol" && typeof value !== "object" && typeof value !== "function";
    const numberText = (value) => hasNumber(value) ? toText(toNumber(value)) : "NaN";
    function integerText(value) {
        if (typeof value === "bigint") return toText(value) + "n";
        const number = hasNumber(value) ? toNumber(value) : NaN;
        return isFinite(number) ? toText(number < 0 ? ceil(number) : floor(number)) : "NaN";
    }

    let indent = "";
    const counts = new NativeMap();
    const times = new NativeMap();

    function print(level, values) {
        let text = format(values);
        if (indent !== "") text = indent + indentLines(text);
        native.print(level, text);
    }

    function indentLines(text) {
        let result = "";
        for (let index = 0; index < text.length; index++) {
            const unit = charAt(text, index);
            result += unit === "\n" ? "\n" + indent : unit;
        }
        return result;
    }

    // Text left, numbers right, columns as wide as their widest cell on a terminal.
    function table(data, columns) {
        if (typeof data !== "object" || data === null) { print("log", [data]); return; }
        const rowKeys = ownEnumerable(data);
        const names = [];
        if (isArray(columns)) {
            for (let index = 0; index < columns.length; index++) append(names, toText(columns[index]));
        } else {
            for (let row = 0; row < rowKeys.length; row++) {
                const member = data[rowKeys[row]];
                if (typeof member !== "object" || member === null) continue;
                const keys = ownEnumerable(member);
                for (let index = 0; index < keys.length; index++) if (!includes(names, keys[index])) append(names, keys[index]);
            }
        }
        const simple = names.length === 0;
        if (simple) append(names, "value");
        const rows = [];
        for (let row = 0; row < rowKeys.length; row++) {
            const member = data[rowKeys[row]];
            const cells = [];
            for (let column = 0; column < names.length; column++) {
                const isObject = typeof member === "object" && member !== null;
                const value = isObject ? member[names[column]] : simple ? member : undefined;
                append(cells, { __proto__: null, text: cellText(value), right: typeof value === "number" || typeof value === "bigint" });
            }
            append(rows, cells);
        }
        native.print("log", draw(names, rows));
    }

    function cellText(value) {
        if (value === undefined || value === null) return "";
        const text = typeof value === "string" ? value : show(value, 1, []);
        let line = "";
        for (let index = 0; index < text.length; index++) {
            const unit = charAt(text, index);
            line += unit === "\n" || unit === "\r" || unit === "\t" ? " " : unit;
        }
        return line;
    }

    function ownEnumerable(object) {
        const keys = ownKeys(object);
        const result = [];
        for (let index = 0; index < keys.length; index++) {
            if (typeof keys[index] !== "string") continue;
            const descriptor = getOwnPropertyDescriptor(object, keys[index]);
            if (descriptor && descriptor.enumerable) append(result, keys[index]);
        }
        return result;
    }

    function includes(list, value) {
        for (let index = 0; index < list.length; index++) if (list[index] === value) return true;
        return false;
    }

    function draw(names, rows) {
        const widths = [];
        for (let column = 0; column < names.length; column++) {
            let width = native.displayWidth(names[column]);
            for (let row = 0; row < rows.length; row++) width = max(width, native.displayWidth(rows[row][column].text));
            append(widths, width);
        }
        const line = (cells) => {
            let text = indent;
            for (let column = 0; column < cells.length; column++) {
                const fill = repeat(" ", max(0, widths[column] - native.displayWidth(cells[column].text)));
                const last = column === cells.length - 1;
                text += cells[column].right ? fill + cells[column].text : cells[column].text + (last ? "" : fill);
                if (!last) text += "  ";
            }
            return text;
        };
        const heads = [], rules = [];
        for (let column = 0; column < names.length; column++) {
            const right = rows.length > 0 && rows[0][column].right;
            append(heads, { __proto__: null, text: names[column], right });
            append(rules, { __proto__: null, text: repeat("-", widths[column]), right });
        }
        let text = line(heads) + "\n" + line(rules);
        for (let row = 0; row < rows.length; row++) text += "\n" + line(rows[row]);
        return text;
    }

    const labelOf = (label) => label === undefined ? "default" : toText(label);
    const elapsed = (label) => {
        const begin = mapGet(times, label);
        return begin === undefined ? undefined : label + ": " + toFixed(callNative(now) - begin, 3) + " ms";
    };

    const console = {
        log(...values) { print("log", values); },
        info(...values) { print("info", values); },
        debug(...values) { print("debug", values); },
        warn(...values) { print("warn", values); },
        error(...values) { print("error", values); },
        trace(...values) {
            const error = new NativeError(values.length === 0 ? "Trace" : format(values));
            error.name = "Trace";
            print("debug", [error]);
        },
        assert(condition, ...values) {
            if (condition) return;
            print("error", values.length === 0 ? ["Assertion failed"] : ["Assertion failed: " + format(values)]);
        },
        table(data, columns) {
            try { table(data, columns); } catch { print("log", [data]); /* a proxy or a getter that throws */ }
        },
        dir(value) { print("log", [show(value, 1, [])]); },
        group(...values) { if (values.length > 0) print("log", values); indent += "  "; },
        groupEnd() { indent = slice(indent, 0, max(0, indent.length - 2)); },
        count(label) {
            const name = labelOf(label);
            const count = (mapGet(counts, name) ?? 0) + 1;
            mapSet(counts, name, count);
            print("log", [name + ": " + count]);
        },
        countReset(label) { mapDelete(counts, labelOf(label)); },
        time(label) { mapSet(times, labelOf(label), callNative(now)); },
        timeLog(label, ...values) { const text = elapsed(labelOf(label)); if (text !== undefined) print("log", [text + (values.length ? " " + format(values) : "")]); },
        timeEnd(label) {
            const text = elapsed(labelOf(label));
            mapDelete(times, labelOf(label));
            if (text !== undefined) print("log", [text]);
        },
    };
    console.groupCollapsed = console.group;
    // The engine's own makes itself when it is described, but not when it is replaced, which keeps what its property is
    // like (8 us, measured).
    globalThis.console = console;
    internal.log = (level, text) => native.print(level, text);
})
