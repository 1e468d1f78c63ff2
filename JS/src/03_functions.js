// Functions of the host: a script holds a real function around a box that keeps the Swift closure; the box is released
// with the function. Calling the closure never throws directly, since native functions of the fast path must not throw.
// A failure is a marker that no closure can return otherwise, and the wrapper throws.
(function (internal) {
    "use strict";

    const { call, takeFailure } = internal.native;
    const { defineProperty } = Object;
    const { apply } = Reflect;
    const failed = Symbol("failed");
    internal.failed = failed;

    const makers = [
        (box, name) => ({ [name]() {
            const result = call(box);
            if (result === failed) throw takeFailure();
            return result;
        } })[name],
        (box, name) => ({ [name](first) {
            const result = call(box, first);
            if (result === failed) throw takeFailure();
            return result;
        } })[name],
        (box, name) => ({ [name](first, second) {
            const result = call(box, first, second);
            if (result === failed) throw takeFailure();
            return result;
        } })[name],
        (box, name) => ({ [name](first, second, third) {
            const result = call(box, first, second, third);
            if (result === failed) throw takeFailure();
            return result;
        } })[name],
        (box, name) => ({ [name](first, second, third, fourth) {
            const result = call(box, first, second, third, fourth);
            if (result === failed) throw takeFailure();
            return result;
        } })[name],
    ];

    const makeVariadic = (box, name) => ({ [name](...values) {
        const list = [box];
        for (let index = 0; index < values.length; index++) {
            defineProperty(list, index + 1, {
                __proto__: null, value: values[index], writable: true, enumerable: true, configurable: true,
            });
        }
        const result = apply(call, undefined, list);
        if (result === failed) throw takeFailure();
        return result;
    } })[name];

    const describe = internal.describeFunction = (wrapper, name, length) => {
        // Stacks show this name, not that of the literals above.
        defineProperty(wrapper, "displayName", { __proto__: null, value: name, configurable: true });
        return defineProperty(wrapper, "length", { __proto__: null, value: length, configurable: true });
    };

    internal.makeFunction = function makeFunction(box, name, length, isVariadic) {
        const make = isVariadic || length >= makers.length ? makeVariadic : makers[length];
        return describe(make(box, name), name, length);
    };
})
