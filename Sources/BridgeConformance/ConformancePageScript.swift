/// The script of ``ConformancePage``.
enum ConformancePageScript {
    /// A function of the host's `note(kind, text)` and `makePage` (`JS/src/page/page.js`), which creates the page and
    /// returns the functions by which the host controls it.
    static let text = #"""
        (function (host, makePage) {
            "use strict";
            const global = globalThis;
            const { stringify } = JSON;
            const slice = Function.prototype.call.bind(String.prototype.slice);
            // Longer strings are useless, and consume the host's memory.
            const maximumLength = 8388608;
            const bounded = (text) => text.length > maximumLength ? slice(text, 0, maximumLength) : text;
            const tell = (kind, text) => host(kind, bounded(text));
            const timers = [];
            const memo = {};
            let lastTimer = 0;
            let time = 0;

            // A console never throws to its caller, whatever the value: a cycle, a BigInt, an object that cannot be
            // read.
            function show(value) {
                if (typeof value === "string") return value;
                if (typeof value === "function") return "function";
                try {
                    const text = stringify(value);
                    return text === undefined ? String(value) : text;
                } catch { /* JSON has no form for it */ }
                try { return stringify(value, shorten([])); } catch { return typeof value; }
            }
            // Replaces what JSON has no form for; `parents` are those of the current member.
            const shorten = (parents) => function (key, member) {
                if (typeof member === "bigint") return member + "n";
                if (typeof member !== "object" || member === null) return member;
                while (parents.length > 0 && parents.at(-1) !== this) parents.pop();
                if (parents.includes(member)) return "[Circular]";
                parents.push(member);
                return member;
            };
            function note(...parts) { tell("line", parts.map(show).join(" ")); }
            function describe(error) {
                return error instanceof Error ? error.name + ": " + error.message : show(error);
            }
            const publish = (name, value) => Object.defineProperty(global, name, {
                value, writable: true, enumerable: false, configurable: true,
            });

            // ---- timers

            function start(callback, delay, values, repeats) {
                const milliseconds = Number(delay) > 0 ? Number(delay) : 0;
                // An interval is due immediately only the first time: the clock does not advance within a step.
                const every = repeats ? Math.max(milliseconds, 1) : undefined;
                timers.push({ id: ++lastTimer, at: time + milliseconds, every, run: () => callback(...values) });
                return lastTimer;
            }
            function stop(id) {
                const index = timers.findIndex((timer) => timer.id === id);
                if (index >= 0) timers.splice(index, 1);
            }
            publish("setTimeout", (callback, delay, ...values) => start(callback, delay, values, false));
            publish("setInterval", (callback, delay, ...values) => start(callback, delay, values, true));
            publish("clearTimeout", stop);
            publish("clearInterval", stop);
            publish("reportError", (error) => tell("line", "uncaught " + describe(error)));

            // ---- console

            for (const level of ["debug", "log", "info", "warn", "error"]) {
                console[level] = (...parts) => tell("log", level + " " + parts.map(show).join(" "));
            }

            // ---- the page, as the text transport has it, with visible frames

            function load(url) {
                const [, scheme, host] = /^([a-z]+):\/\/([^/?#:]*)/i.exec(url) ?? [];
                if (/^yy$/i.test(scheme ?? "")) {
                    const returned = /^yy:\/\/return\/_fetchQueue\/(.*)$/i.exec(url);
                    if (returned !== null) tell("line", "returned " + decodeURIComponent(returned[1]));
                    else tell("signal", url);
                    return;
                }
                const isBridges = scheme !== undefined && /^(https|wvjbscheme)$/i.test(scheme);
                if (isBridges && host.toLowerCase() === "__wvjb_queue_message__") tell("signal", url);
                else if (isBridges && host.toLowerCase() === "__bridge_loaded__") tell("load", url);
                else tell("line", "loads " + url);
            }

            makePage({ load, alert: (text) => tell("line", "alert " + text), makesElements: false });

            // ---- the functions by which the pages of other dialects call their native side

            publish("webkit", {
                messageHandlers: new Proxy({}, {
                    get: (_, name) => ({
                        postMessage(body) {
                            if (name === "iOS_Native_FlushMessageQueue") tell("signal", name);
                            else if (name === "iOS_Native_InjectJavascript") tell("load", name);
                            else note("posted", body);
                        },
                    }),
                }),
            });
            publish("WVJBInterface", { notice: (text) => note("posted", text) });
            publish("prompt", (title, text) => {
                note("asked", title, text);
                return memo.answer ?? null;
            });
            publish("_dsbridge", {
                call(name, text) {
                    note("called", name, text);
                    return memo.answer ?? "{\"code\":0,\"data\":\"\"}";
                },
            });

            // ---- the functions by which the host controls the page

            return {
                run(text, globalName) { (0, eval)(text)(global[globalName], note, memo); },
                deliver(globalName, entryName, message) { global[globalName][entryName](message); },
                fetch(globalName, fetchName) {
                    const fetched = global[globalName][fetchName]();
                    return typeof fetched === "string" ? bounded(fetched) : fetched;
                },
                runTimer() {
                    let next;
                    for (const timer of timers) {
                        if (timer.at <= time && (next === undefined || timer.at < next.at)) next = timer;
                    }
                    if (next === undefined) return false;
                    if (next.every === undefined) timers.splice(timers.indexOf(next), 1);
                    else next.at += next.every;
                    try { next.run(); } catch (error) { tell("line", "uncaught " + describe(error)); }
                    return true;
                },
                advance(milliseconds) { time += milliseconds; },
                timerCount: () => timers.length,
            };
        })
        """#
}
