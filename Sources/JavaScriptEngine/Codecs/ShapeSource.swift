/// The texts of the script's half of a shape: what builds an object of the slab, and what reads one.
///
/// Names of members come from Swift types, never from data, and stand in the text as quoted literals.
enum ShapeSource {
    /// A builder: a function of the script's internals that gives one which takes an object out of the slab.
    static func builder(of members: [(name: String, cell: ShapeCell)]) -> String {
        var steps: [String] = []
        var fields: [String] = []
        // How many cells were passed since the cursor was last written down.
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
                fields.append("\(key(member.name)): \(name)")
                continue
            }
            offset += 1
            fields.append("\(key(member.name)): \(name)")
        }
        settle()
        return """
            (function (internal) {
                "use strict";
                const {
                    incoming, NativeSubstring, buildNext, knownTexts, remember, longText, goToNextPiece,
                } = internal;
                return function buildShape() {
                    const { cells } = incoming;
                    let { text } = incoming;
                    let at = incoming.cursor, position = incoming.position;
                    \(steps.joined(separator: "\n            "))
                    return { \(fields.joined(separator: ", ")) };
                };
            })
            """
    }

    /// Cuts a text out: its cell is a length, a place where the text is kept, or both (see the values' script), or
    /// NaN where there is none.
    private static func cut(_ name: String, index: Int, offset: Int) -> [String] {
        let count = "n\(index)"
        return [
            "const \(count) = cells[at + \(offset)];",
            "let \(name);",
            "if (\(count) < 0) "
                + "\(name) = \(count) < -\(KnownTexts.count) ? longText(\(count)) : knownTexts[-1 - \(count)];",
            "else if (\(count) < 4294967296) {",
            "    if (position + \(count) > text.length) { text = goToNextPiece(); position = 0; }",
            "    \(name) = NativeSubstring.call(text, position, position += \(count));",
            "} else if (\(count) >= 4294967296) { incoming.position = position; \(name) = remember(\(count)); "
                + "position = incoming.position; text = incoming.text; }",
        ]
    }

    /// A reader: a function of the script's internals that gives one which hands an object's members over.
    ///
    /// What is no object, and what says by itself what it is as data, is handed over as it is. In a message, that is all but
    /// objects of `Object.prototype` or of no prototype, and members are what the object would have as data: its own, and no
    /// symbols. `readMember` reads what stands in a message, `readMessage` the message itself: it puts three further arguments
    /// before the object, and gives `undefined` for what is to be handed over as data.
    static func reader(of names: [String]) -> String {
        let members = names.map { name in
            // What every object inherits is a member only where it is the object's own.
            inherited.contains(name)
                ? ", hasOwn(value, \(literal(name))) ? value[\(literal(name))] : undefined"
                : ", value[\(literal(name))]"
        }
        let variables = names.indices.map { "m\($0)" }
        let list = variables.map { ", \($0)" }.joined()
        // By the keys: half of the time of asking for each member whether it is one (2.50.6: 29 against 58 ns for five).
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
            (function (internal) {
                "use strict";
                const {
                    hasOwn, native: { call },
                    primordials: { ArrayIsArray, ObjectGetPrototypeOf, ObjectKeys, ObjectPrototype },
                } = internal;
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

    /// A reader for types without members: hands every value over as it is.
    static let plainReader = """
        (function (internal) {
            "use strict";
            const { native: { call } } = internal;
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

    /// Names that every object inherits.
    private static let inherited: Set<String> = [
        "constructor", "toString", "toLocaleString", "valueOf", "hasOwnProperty", "isPrototypeOf",
        "propertyIsEnumerable", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__",
        "__lookupSetter__",
    ]

    // `__proto__` in quotes sets the prototype, in brackets it is a name as any other.
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
