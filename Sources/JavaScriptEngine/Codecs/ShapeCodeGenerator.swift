/// A generator of the script code of a shape: a builder of objects from the slab, and a reader of objects.
///
/// Member names come from Swift types, never from data, and appear in the source as quoted literals.
enum ShapeCodeGenerator {
    /// Returns the source of a builder: a function of the script's codec that returns a function which reads an
    /// object from the slab.
    static func builder(of members: [(name: String, cell: ShapeCell)]) -> String {
        var steps: [String] = []
        // The fields of the object and of the nested ones that are open, each with its name.
        var open: [(name: String, fields: [String])] = [("", [])]
        func add(_ name: String, _ value: String) {
            open[open.count - 1].fields.append("\(key(name)): \(value)")
        }
        func close() {
            if let inner = open.popLast() { add(inner.name, "{ \(inner.fields.joined(separator: ", ")) }") }
        }
        // The number of cells passed since the cursor was last written back.
        var offset = 0
        func settle() {
            steps.append("incoming.cursor = at + \(offset); incoming.position = position;")
            offset = 0
        }
        for (index, member) in members.enumerated() {
            let name = "f\(index)"
            switch member.cell {
            case .number: steps.append("const \(name) = cells[at + \(offset)];")
            case .bool: steps.append("const \(name) = cells[at + \(offset)] === 1;")
            case .maybeNumber:
                steps.append(
                    "const \(name) = cells[at + \(offset)] === 1 ? cells[at + \(offset + 1)] : undefined;"
                )
                offset += 1
            case .maybeBool:
                steps += [
                    "const n\(index) = cells[at + \(offset)];",
                    "const \(name) = n\(index) === 2 ? undefined : n\(index) === 1;",
                ]
            case .text, .maybeText: steps += cut(name, index: index, offset: offset)
            case .tagged:
                settle()
                steps.append("const \(name) = buildNext();")
                steps.append("at = incoming.cursor; position = incoming.position; text = incoming.text;")
                add(member.name, name)
                continue
            case .nested:
                open.append((member.name, []))
                continue
            case .end:
                close()
                continue
            }
            offset += 1
            add(member.name, name)
        }
        settle()
        while open.count > 1 { close() }
        return """
            (function (codec) {
                "use strict";
                const {
                    incoming, NativeSubstring, buildNext, internedStrings, remember, longText, goToNextPiece,
                } = codec;
                return function buildShape() {
                    const { cells } = incoming;
                    let { text } = incoming;
                    let at = incoming.cursor, position = incoming.position;
                    \(steps.joined(separator: "\n            "))
                    return { \(open[0].fields.joined(separator: ", ")) };
                };
            })
            """
    }

    /// Returns the source that reads a string.
    ///
    /// Its cell is a length, the number of a stored string, or both (see the values' script), or NaN if there is none.
    private static func cut(_ name: String, index: Int, offset: Int) -> [String] {
        let count = "n\(index)"
        return [
            "const \(count) = cells[at + \(offset)];",
            "let \(name);",
            "if (\(count) < 0) "
                + "\(name) = \(count) < -\(InternedStrings.count) ? longText(\(count)) : internedStrings[-1 - \(count)];",
            "else if (\(count) < 4294967296) {",
            "    if (position + \(count) > text.length) { text = goToNextPiece(); position = 0; }",
            "    \(name) = NativeSubstring.call(text, position, position += \(count));",
            "} else if (\(count) >= 4294967296) { incoming.position = position; \(name) = remember(\(count)); "
                + "position = incoming.position; text = incoming.text; }",
        ]
    }

    /// Returns the source of a reader: a function of the script's codec that returns functions which pass an
    /// object's members to a receiver.
    ///
    /// A value that is not an object, or that has a `toJSON`, is passed as it is. In a message, only objects of
    /// `Object.prototype` or without a prototype are read by members, and the members are those that the object has as
    /// data: its own, without symbols. `readMember` reads a value inside a message, and `readMessage` the message
    /// itself. The latter puts three further arguments before the object, and returns `undefined` for a value that has
    /// to be passed as data.
    static func reader(of names: [String]) -> String {
        let members = names.map { name in
            // A name that every object inherits is a member only if it is the object's own.
            inherited.contains(name)
                ? ", hasOwn(value, \(literal(name))) ? value[\(literal(name))] : undefined"
                : ", value[\(literal(name))]"
        }
        let variables = names.indices.map { "m\($0)" }
        let list = variables.map { ", \($0)" }.joined()
        // Iterates the keys, which takes half the time of testing each member (2.50.6: 29 against 58 ns for five).
        let readOwn = """
            \(variables.isEmpty ? "" : "let \(variables.joined(separator: ", "));")
            const keys = ObjectKeys(value);
            for (let index = 0; index < keys.length; index++) {
                switch (keys[index]) {
                \(zip(names, variables).map { name, variable in
                    "case \(literal(name)): \(variable) = value[\(literal(name))]; "
                        + "if (typeof \(variable) === \"symbol\") \(variable) = undefined; break;"
                }.joined(separator: "\n            "))
                }
            }
            """
        return """
            (function (codec) {
                "use strict";
                const { hasOwn, call, ArrayIsArray, ObjectGetPrototypeOf, ObjectKeys, ObjectPrototype } = codec;
                function isPlain(value) {
                    const prototype = ObjectGetPrototypeOf(value);
                    return (prototype === ObjectPrototype || prototype === null) && !ArrayIsArray(value)
                        && typeof value.toJSON !== "function";
                }
                return {
                    __proto__: null,
                    read(receiver, value) {
                        if (typeof value !== "object" || value === null || typeof value.toJSON === "function") {
                            return call(receiver, value);
                        }
                        return call(receiver, value, \(names.count)\(members.joined()));
                    },
                    readMember(receiver, value) {
                        if (typeof value !== "object" || value === null || !isPlain(value)) return call(receiver, value);
                        \(readOwn)
                        return call(receiver, value, \(names.count)\(list));
                    },
                    readMessage(receiver, value, first, second, third) {
                        if (typeof value !== "object" || value === null) {
                            return call(receiver, first, second, third, value);
                        }
                        if (!isPlain(value)) return undefined;
                        \(readOwn)
                        return call(receiver, first, second, third, value, \(names.count)\(list));
                    },
                };
            })
            """
    }

    /// Returns the source of a reader of objects with one member: like ``reader(of:)``, but what follows the object is
    /// a number for the case and the member's value with the value's members, if the member is a case and its value a
    /// plain object; otherwise -1, the value and the member's name.
    ///
    /// An object with another number of members is passed as it is.
    static func caseReader(of cases: [(name: String, members: [String])]) -> String {
        let passes = cases.enumerated().map { index, shape in
            let variables = shape.members.indices.map { "m\($0)" }
            let fields = zip(shape.members, variables).map { name, variable in
                "case \(literal(name)): \(variable) = member[\(literal(name))]; "
                    + "if (typeof \(variable) === \"symbol\") \(variable) = undefined; break;"
            }
            return """
                case \(literal(shape.name)): {
                    if (!isPlain(member)) break;
                    \(variables.isEmpty ? "" : "let \(variables.joined(separator: ", "));")
                    const names = ObjectKeys(member);
                    for (let index = 0; index < names.length; index++) {
                        switch (names[index]) {
                        \(fields.joined(separator: "\n            "))
                        }
                    }
                    return call(receiver, PREFIX value, \(-2 - index), member\(variables.map { ", \($0)" }.joined()));
                }
                """
        }
        func body(_ prefix: String, otherwise: String) -> String {
            """
            const keys = ObjectKeys(value);
            if (keys.length !== 1) return \(otherwise);
            const key = keys[0], member = value[key];
            if (typeof member === "function" || typeof member === "symbol") {
                return call(receiver, \(prefix) { __proto__: null, [key]: member });
            }
            switch (key) {
            \(passes.joined(separator: "\n").replacing("PREFIX", with: prefix))
            }
            return call(receiver, \(prefix) value, -1, member, key);
            """
        }
        return """
            (function (codec) {
                "use strict";
                const { call, ArrayIsArray, ObjectGetPrototypeOf, ObjectKeys, ObjectPrototype } = codec;
                function isPlain(value) {
                    if (typeof value !== "object" || value === null) return false;
                    const prototype = ObjectGetPrototypeOf(value);
                    return (prototype === ObjectPrototype || prototype === null) && !ArrayIsArray(value)
                        && typeof value.toJSON !== "function";
                }
                function read(receiver, value) {
                    if (!isPlain(value)) return call(receiver, value);
                    \(body("", otherwise: "call(receiver, value)"))
                }
                return {
                    __proto__: null,
                    read,
                    readMember: read,
                    readMessage(receiver, value, first, second, third) {
                        if (typeof value !== "object" || value === null) {
                            return call(receiver, first, second, third, value);
                        }
                        if (!isPlain(value)) return undefined;
                        \(body("first, second, third,", otherwise: "undefined"))
                    },
                };
            })
            """
    }

    /// The source of a reader for types without members: it passes every value as it is.
    static let plainReader = """
        (function (codec) {
            "use strict";
            const { call } = codec;
            const read = (receiver, value) => call(receiver, value);
            return {
                __proto__: null,
                read,
                readMember: read,
                readMessage(receiver, value, first, second, third) {
                    return call(receiver, first, second, third, value);
                },
            };
        })
        """

    /// The names that every object inherits.
    private static let inherited: Set<String> = [
        "constructor", "toString", "toLocaleString", "valueOf", "hasOwnProperty", "isPrototypeOf",
        "propertyIsEnumerable", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__",
        "__lookupSetter__",
    ]

    // In quotes `__proto__` sets the prototype; in brackets it is a name like any other.
    private static func key(_ name: String) -> String { "[\(literal(name))]" }

    private static func literal(_ text: String) -> String {
        var result = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x20, 0x21, 0x23...0x5B, 0x5D...0x7E:
                result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result + "\""
    }
}
