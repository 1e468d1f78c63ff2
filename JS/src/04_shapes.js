// Swift types across the boundary. A type with known members has a builder, made from its member names, which decodes
// the members from the slab. It also has a reader, which passes the members of an object as arguments of one native
// call. Swift writes the source of both. The names of members are quoted literals in them, and no part of any value is
// in them.
(function (internal) {
    "use strict";

    const { call, takeFailure } = internal.native;
    const { build, buildNext, beginBuilding, endBuilding, failed } = internal;
    const { defineProperty } = Object;
    const { isArray } = Array;
    const { apply } = Reflect;

    // A type's reader can be replaced by one that knows more members, so callers look it up in the slot.
    internal.makeSlot = (make) => make(internal);
    internal.hasOwn = Object.hasOwn;

    const plain = [
        (box, name) => ({ [name]() {
            const result = call(box);
            if (result === failed) throw takeFailure();
            return build(result);
        } })[name],
        (box, name) => ({ [name](first) {
            const result = call(box, first);
            if (result === failed) throw takeFailure();
            return build(result);
        } })[name],
        (box, name) => ({ [name](first, second) {
            const result = call(box, first, second);
            if (result === failed) throw takeFailure();
            return build(result);
        } })[name],
        (box, name) => ({ [name](first, second, third) {
            const result = call(box, first, second, third);
            if (result === failed) throw takeFailure();
            return build(result);
        } })[name],
    ];

    const read = (box, name, slot) => ({ [name](first) {
        const result = slot.read(box, first);
        if (result === failed) throw takeFailure();
        return result;
    } })[name];

    const readAndBuild = (box, name, slot) => ({ [name](first) {
        const result = slot.read(box, first);
        if (result === failed) throw takeFailure();
        return build(result);
    } })[name];

    const buildAny = (box, name) => ({ [name](...values) {
        const list = [box];
        for (let index = 0; index < values.length; index++) add(list, values[index]);
        const result = apply(call, undefined, list);
        if (result === failed) throw takeFailure();
        return build(result);
    } })[name];

    function add(list, value) {
        defineProperty(list, list.length, {
            __proto__: null, value, writable: true, enumerable: true, configurable: true,
        });
    }

    // Creates the function around a closure with parameters of Swift types. `slot` is that of its only parameter, or
    // null; `isBuilt` means that results are in the slab.
    internal.makeTyped = function makeTyped(box, name, length, slot, isBuilt) {
        let wrapper;
        if (slot !== null) wrapper = (isBuilt ? readAndBuild : read)(box, name, slot);
        else if (!isBuilt) return internal.makeFunction(box, name, length, false);
        else wrapper = (length < plain.length ? plain[length] : buildAny)(box, name);
        return internal.describeFunction(wrapper, name, length);
    };

    internal.readOne = (receiver, value, slot) => slot.read(receiver, value);
    internal.readMember = (receiver, value, slot) => slot.readMember(receiver, value);
    const ownKeys = Object.keys;
    internal.ownKeys = (object) => ownKeys(object);
    const { hasOwn } = Object;
    const ObjectPrototype = Object.prototype;
    const isEnumerable = ObjectPrototype.propertyIsEnumerable;
    // A member that every object inherits counts only if it is the object's own.
    internal.getMember = (object, name) =>
        hasOwn(ObjectPrototype, name) && !hasOwn(object, name) ? undefined : object[name];
    // In a message, members are read as they are in data.
    internal.getDataMember = (object, name) => {
        if (!apply(isEnumerable, object, [name])) return undefined;
        const member = object[name];
        return typeof member === "symbol" ? undefined : member;
    };

    // Passes the elements of an array one by one. Returns false if the value is not an array, or has an unusable
    // length.
    internal.readRows = (receiver, list, slot) => readList(receiver, list, slot.read);
    internal.readMemberRows = (receiver, list, slot) => readList(receiver, list, slot.readMember);

    function readList(receiver, list, read) {
        if (!isArray(list) || typeof list.toJSON === "function") return false;
        const count = list.length;
        if (typeof count !== "number" || count >>> 0 !== count) return false;
        if (call(receiver, count) === failed) return failed;
        for (let index = 0; index < count; index++) {
            if (read(receiver, list[index]) === failed) return failed;
        }
        return true;
    }

    // Calls a function with arguments from the slab, and passes its result to a receiver if there is one.
    internal.callBuilt = function callBuilt(callee, text, count, slot, receiver, self) {
        beginBuilding(text);
        let result;
        if (count === 1) {
            const first = buildNext();
            endBuilding();
            result = self === undefined ? callee(first) : apply(callee, self, [first]);
        } else {
            const list = [];
            for (let index = 0; index < count; index++) add(list, buildNext());
            endBuilding();
            result = apply(callee, self, list);
        }
        return slot === null ? result : slot.read(receiver, result);
    };
})
