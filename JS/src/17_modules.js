// Modules: `bridge.module("people").find(data)` is `bridge.callHandler("people.find", data)`. Which handlers there are is known
// to the other side alone, so every name is a method, except those that any object is asked for.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const { ObjectDefineProperty, ObjectFreeze, ObjectHasOwn, ObjectPrototype } = internal.primordials;
    const { bridge } = internal;
    const { define, makeError, textOf, callSynchronously, callWithPromise, notify, openStream, pipeline } = bridge;
    const NativeProxy = Proxy;
    const { apply, bind, call } = Function.prototype;
    const { toStringTag } = Symbol;

    // What the language asks for when a value is awaited, or made a text or JSON, and who shows values when one is shown: none
    // of it may be a call.
    function membersOf(prototype, others) {
        const {
            constructor, hasOwnProperty, isPrototypeOf, propertyIsEnumerable, toLocaleString, toString, valueOf,
        } = prototype;
        return ObjectFreeze({
            __proto__: null, then: undefined, toJSON: undefined, constructor, hasOwnProperty, isPrototypeOf,
            propertyIsEnumerable, toLocaleString, toString, valueOf, ...others,
        });
    }
    const moduleMembers = membersOf(ObjectPrototype);
    const methodMembers = membersOf(Function.prototype, {
        apply, bind, call, arguments: undefined, caller: undefined, prototype: undefined,
    });

    function addMethods(target, prefix, members) {
        // Without a prototype, so that every name is only a name here.
        const methods = { __proto__: null };
        return new NativeProxy(ObjectFreeze(target), ObjectFreeze({
            __proto__: null,
            get(_, key) {
                if (typeof key === "symbol" || ObjectHasOwn(target, key)) return target[key];
                return key in members ? members[key] : methods[key] ??= makeMethod(prefix + key);
            },
        }));
    }

    // The other ways to call have the names that they have on `bridge`. The handlers of a group in the group are
    // methods of its name.
    function makeMethod(name) {
        const method = (data, options) => callWithPromise(name, data, options);
        const add = (key, way) => { define(method, key, ObjectFreeze(way), false); };
        ObjectDefineProperty(method, "name", { __proto__: null, value: name });
        add("callHandlerSync", (data) => callSynchronously(name, data));
        add("notify", (data) => { notify(name, data); });
        add("openStream", (data, options) => openStream(name, data, options));
        add("pipeline", (data, options) => pipeline(name, data, options));
        return addMethods(method, name + ".", methodMembers);
    }

    // As a group's in Swift, an empty namespace adds nothing to the names.
    bridge.makeModule = function makeModule(namespace) {
        if (typeof namespace !== "string") {
            throw makeError("invalidArgument", "A module's namespace is a text; this is " + textOf(namespace) + ".");
        }
        const target = { __proto__: null };
        define(target, toStringTag, "BridgeModule", false);
        return addMethods(target, namespace === "" ? "" : namespace + ".", moduleMembers);
    };
})
