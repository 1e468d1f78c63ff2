internal import BridgeValues
internal import CJavaScriptCore

/// A structure that crosses the border as an object with a member for each stored property, without the steps
/// of `Codable`.
///
/// Declaring it is all there is to do:
///
/// ```swift
/// struct User: JSShaped {
///     var id: Int
///     var name: String
///     var mail: String?
/// }
/// ```
///
/// The members are read and written where the structure has them, so that an `encode(to:)` or `init(from:)` of
/// its own is not asked; a type that is `Codable` in its own way should not declare this. Properties may be of
/// every type that crosses: numbers, texts, booleans, `Date`, `Data`, `Value`, other `JSShaped` types, plain
/// `Codable` ones, and optionals, lists and dictionaries of these. Every stored property takes part, private
/// ones too; computed ones do not.
///
/// A member that is nil is `undefined` in the script. A script's object is read by asking it for each member
/// once, in order; `null`, `undefined` and a missing member are nil where the property is optional, and an
/// error that names the member where it is not. Other members of the object are not touched.
///
/// Classes and enumerations cannot declare it: the first use of such a type traps with a sentence that says so.
public protocol JSShaped: Codable {
    /// The names of members that are not those of their properties, by property.
    static var memberNames: [String: String] { get }
}

extension JSShaped {
    /// No member has another name.
    public static var memberNames: [String: String] { [:] }
}

/// How a ``JSShaped`` type crosses.
final class ShapedCodec<Subject: JSShaped>: ObjectCodec<Subject> {
    /// What the common types need no codec for.
    private enum Step { case double, int, bool, text, other }

    private struct Member {
        let name: String
        let offset: Int
        let step: Step
        let codec: Codec
    }

    private var members: [Member] = []
    private var shape: Double?

    /// Finds the members out.
    ///
    /// Apart from the initializer, so that a type that holds itself finds this codec in the table.
    func learn(from table: CodecTable) {
        guard let properties = StoredProperty.all(of: Subject.self) else {
            preconditionFailure(
                "\(Subject.self) cannot be JSShaped: it is no structure whose stored properties are known"
            )
        }
        members = properties.map { property in
            let step: Step =
                switch property.type {
                case is Double.Type: .double
                case is Int.Type: .int
                case is Bool.Type: .bool
                case is String.Type: .text
                default: .other
                }
            return Member(
                name: Subject.memberNames[property.name] ?? property.name,
                offset: property.offset,
                step: step,
                codec: table.codec(for: property.type)
            )
        }
    }

    override var memberNames: [String] { members.map(\.name) }

    override func decodeMembers(
        of object: EncodedValue,
        _ arguments: CallArguments,
        into memory: UnsafeMutableRawPointer
    ) throws {
        let context = context
        var made = 0
        do {
            try members.withUnsafeBufferPointer { members in
                for index in 0..<members.count {
                    let value = arguments[index]
                    let target = memory + members[index].offset
                    switch members[index].step {
                    case .double:
                        if let number = context.number(of: value) {
                            target.initializeMemory(as: Double.self, to: number)
                            made += 1
                            continue
                        }
                    case .int:
                        if let number = context.number(of: value), let whole = Int(exactly: number) {
                            target.initializeMemory(as: Int.self, to: whole)
                            made += 1
                            continue
                        }
                    case .bool:
                        if let flag = context.bool(of: value) {
                            target.initializeMemory(as: Bool.self, to: flag)
                            made += 1
                            continue
                        }
                    case .text:
                        if let text = context.string(of: value) {
                            target.initializeMemory(as: String.self, to: text)
                            made += 1
                            continue
                        }
                    case .other: break
                    }
                    try decode(value, as: members[index], into: target)
                    made += 1
                }
            }
        } catch {
            for member in members.prefix(made) { member.codec.deinitialize(memory + member.offset) }
            throw error
        }
    }

    private func decode(_ value: EncodedValue, as member: Member, into target: UnsafeMutableRawPointer) throws {
        do {
            try member.codec.decode(value, into: target)
        } catch let error as DecodingError {
            if !member.codec.isOptional, JSValueIsUndefined(context.ref, value.ref) {
                throw DecodingError.keyNotFound(
                    MemberKey(member.name),
                    .init(codingPath: [], debugDescription: "")
                )
            }
            throw error.prefixed(by: MemberKey(member.name))
        }
    }

    override func decodeOther(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        guard let ref = value.ref else { return }
        let found = try context.readValue(ref)
        let text = found.isNil ? found.kind : "\(found.kind) \(found.excerpt)"
        throw DecodingError.typeMismatch(
            Subject.self,
            .init(codingPath: [], debugDescription: "\(text) is not an object")
        )
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        let mark = writer.mark
        try writer.enter()
        try writer.count(members.count + 1)
        if try writeShape(memory, into: writer) { return writer.leave() }
        writer.rewind(to: mark)
        try writer.count()
        writer.put(ValueSlab.Tag.object, Double(members.count))
        for member in members {
            writer.put(text: member.name)
            try write(member, memory, into: writer)
        }
        writer.leave()
    }

    private func write(_ member: Member, _ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        let source = memory + member.offset
        if member.codec.isOptional, member.codec.isAbsent(source) {
            writer.put(ValueSlab.Tag.undefined)
        } else {
            try member.codec.encode(source, into: writer)
        }
    }

    /// Writes the members as the builder takes them; false where a number is beyond what a cell holds.
    private func writeShape(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws -> Bool {
        let shape = try self.shape ?? makeShape()
        writer.put(shape)
        return try members.withUnsafeBufferPointer { members in
            for index in 0..<members.count {
                let source = memory + members[index].offset
                switch members[index].step {
                case .double: writer.put(source.load(as: Double.self))
                case .int:
                    let number = source.load(as: Int.self)
                    guard number.magnitude <= UInt(Value.maximumSafeInteger) else { return false }
                    writer.put(Double(number))
                case .bool: writer.put(source.load(as: Bool.self) ? 1 : 0)
                case .text: writer.put(text: source.assumingMemoryBound(to: String.self).pointee)
                case .other: try write(members[index], memory, into: writer)
                }
            }
            return true
        }
    }

    private func makeShape() throws -> Double {
        let cells = members.map { member -> (name: String, cell: ShapeCell) in
            switch member.step {
            case .double, .int: (member.name, .number)
            case .bool: (member.name, .bool)
            case .text: (member.name, .text)
            case .other: (member.name, .tagged)
            }
        }
        let made = try context.addShape(ShapeSource.builder(of: cells))
        shape = made
        return made
    }
}

extension JSContext {
    /// Adds a builder, and gives the tag that it goes by.
    func addShape(_ source: String) throws -> Double {
        JSValueToNumber(ref, try call(script.addShape, [runShape(source)]), nil)
    }
}
