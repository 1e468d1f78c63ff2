internal import BridgeValues
internal import CJavaScriptCore

/// A codec of a ``JSShaped`` type: its members are read and written in place.
final class ShapedCodec<Subject: JSShaped>: ShapedMembersCodec {
    override func deinitialize(_ memory: UnsafeMutableRawPointer) {
        memory.assumingMemoryBound(to: Subject.self).deinitialize(count: 1)
    }

    /// Finds the members of the type.
    ///
    /// It is not part of the initializer, so that a recursive type finds this codec in the table.
    func learn(from table: CodecTable) {
        guard let properties = StoredProperty.all(of: Subject.self) else {
            fatalError(
                "\(Subject.self) cannot be JSShaped: it is not a structure with known stored properties"
            )
        }
        learn(properties, names: Subject.memberNames, from: table)
    }
}

/// The common part of the codecs of all ``JSShaped`` types.
///
/// It is not generic, because generic code looks up type metadata at every step.
class ShapedMembersCodec: ObjectCodec {
    /// The types that are coded without another codec.
    private enum Kind { case double, int, bool, text, maybeDouble, maybeInt, maybeBool, maybeText, other }

    /// A member, without a reference to count.
    private struct Step {
        let kind: Kind
        let offset: Int
    }

    /// The data that is read for every value.
    ///
    /// It is behind a pointer, because stored properties of a class are checked for exclusive access each time.
    private struct Table {
        var steps = UnsafeMutableBufferPointer<Step>(start: nil, count: 0)
        /// The tag of the builder; 0 if there is none yet.
        var shape = 0.0
    }

    private let table: UnsafeMutablePointer<Table>
    private var names: [String] = []
    private var codecs: [Codec] = []

    override init(in context: JSContext) {
        table = .allocate(capacity: 1)
        table.initialize(to: Table())
        super.init(in: context)
    }

    deinit {
        table.pointee.steps.deallocate()
        table.deallocate()
    }

    override final func releaseContents() { codecs = [] }

    @inline(__always)
    private var steps: UnsafeMutableBufferPointer<Step> { table.pointee.steps }

    override final var readerSource: String { ShapeCodeGenerator.reader(of: names) }

    fileprivate final func learn(
        _ properties: [StoredProperty],
        names renamed: [String: String],
        from codecTable: CodecTable
    ) {
        for property in properties {
            // The compiler's description of a weak or unowned property does not mark it as one.
            guard !property.isReference, property.type is any Codable.Type else {
                fatalError(
                    "a JSShaped type cannot have the property '\(property.name)' of the type \(property.type): it must "
                        + "be Codable and not a reference"
                )
            }
        }
        let steps = UnsafeMutableBufferPointer<Step>.allocate(capacity: properties.count)
        for (index, property) in properties.enumerated() {
            let kind: Kind =
                switch property.type {
                case is Double.Type: .double
                case is Int.Type: .int
                case is Bool.Type: .bool
                case is String.Type: .text
                case is Double?.Type: .maybeDouble
                case is Int?.Type: .maybeInt
                case is Bool?.Type: .maybeBool
                case is String?.Type: .maybeText
                default: .other
                }
            steps.initializeElement(at: index, to: Step(kind: kind, offset: property.offset))
            names.append(renamed[property.name] ?? property.name)
            let codec = codecTable.codec(for: property.type)
            if codec.isSecret { SecretMembers.shared.note(names[index]) }
            codecs.append(codec)
        }
        table.pointee.steps = steps
    }

    override final func decodeMembers(_ arguments: CallArguments, into memory: UnsafeMutableRawPointer) throws
    {
        let scalars = scalars
        let count = arguments.count
        let steps = steps
        for index in 0..<steps.count {
            let step = steps[index]
            // The object itself and the count precede its members.
            let value = index + 2 < count ? EncodedValue(bits: arguments.slots[index + 2]) : scalars.undefined
            let target = memory + step.offset
            switch step.kind {
            case .double:
                if let number = scalars.number(of: value) {
                    target.initializeMemory(as: Double.self, to: number)
                    continue
                }
            case .int:
                if let whole = scalars.wholeNumber(of: value) {
                    target.initializeMemory(as: Int.self, to: whole)
                    continue
                }
            case .bool:
                if let flag = scalars.bool(of: value) {
                    target.initializeMemory(as: Bool.self, to: flag)
                    continue
                }
            case .text:
                if let text = scalars.string(of: value) {
                    target.initializeMemory(as: String.self, to: text)
                    continue
                }
            case .maybeDouble:
                let number = scalars.number(of: value)
                if number != nil || scalars.isNil(value) {
                    target.initializeMemory(as: Double?.self, to: number)
                    continue
                }
            case .maybeInt:
                let whole = scalars.wholeNumber(of: value)
                if whole != nil || scalars.isNil(value) {
                    target.initializeMemory(as: Int?.self, to: whole)
                    continue
                }
            case .maybeBool:
                let flag = scalars.bool(of: value)
                if flag != nil || scalars.isNil(value) {
                    target.initializeMemory(as: Bool?.self, to: flag)
                    continue
                }
            case .maybeText:
                if scalars.isNil(value) {
                    target.initializeMemory(as: String?.self, to: nil)
                    continue
                }
                if let text = scalars.string(of: value) {
                    target.initializeMemory(as: String?.self, to: text)
                    continue
                }
            case .other: break
            }
            try decode(value, as: index, memory)
        }
    }

    private func decode(_ value: EncodedValue, as index: Int, _ memory: UnsafeMutableRawPointer) throws {
        let codec = codecs[index]
        do {
            try codec.decode(value, into: memory + steps[index].offset)
        } catch {
            for made in 0..<index { codecs[made].deinitialize(memory + steps[made].offset) }
            guard let error = error as? DecodingError else { throw error }
            if !codec.isOptional, JSValueIsUndefined(context.ref, value.ref) {
                throw DecodingError.keyNotFound(
                    MemberKey(names[index]),
                    .init(codingPath: [], debugDescription: "")
                )
            }
            throw error.prefixed(by: MemberKey(names[index]))
        }
    }

    override final func decodeOther(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        guard let ref = value.ref else { return }
        let found = try context.readValue(ref)
        let text = found.isNil ? found.kind : "\(found.kind) \(found.excerpt)"
        throw DecodingError.typeMismatch(
            Any.self,
            .init(codingPath: [], debugDescription: "\(text) is not an object")
        )
    }

    override final func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        let mark = writer.mark
        try writer.enter()
        try writer.count(steps.count + 1)
        if try writeShape(memory, into: writer) { return writer.leave() }
        writer.rewind(to: mark)
        try writer.enter()
        try writer.count()
        writer.put(ValueSlab.Tag.object, Double(steps.count))
        for index in steps.indices {
            try writer.put(text: names[index])
            try write(index, memory, into: writer)
        }
        writer.leave()
    }

    private func write(_ index: Int, _ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        let source = memory + steps[index].offset
        if codecs[index].isOptional, codecs[index].isAbsent(source) {
            writer.put(ValueSlab.Tag.undefined)
        } else {
            do {
                try codecs[index].encode(source, into: writer)
            } catch let error as EncodingError {
                throw error.prefixed(by: MemberKey(names[index]))
            }
        }
    }

    /// Writes the members as the builder reads them.
    ///
    /// Returns false if a number is beyond the range of a cell.
    private func writeShape(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws -> Bool {
        let steps = steps
        writer.put(try table.pointee.shape > 0 ? table.pointee.shape : makeShape())
        for index in 0..<steps.count {
            let source = memory + steps[index].offset
            switch steps[index].kind {
            case .double: writer.put(source.load(as: Double.self))
            case .int:
                let number = source.load(as: Int.self)
                guard number.magnitude <= UInt(Value.maximumSafeInteger) else { return false }
                writer.put(Double(number))
            case .bool: writer.put(source.load(as: Bool.self) ? 1 : 0)
            case .text: try writer.put(text: source.assumingMemoryBound(to: String.self).pointee)
            case .maybeDouble:
                let number = source.load(as: Double?.self)
                writer.put(number == nil ? 0 : 1)
                writer.put(number ?? 0)
            case .maybeInt:
                let number = source.load(as: Int?.self)
                guard (number ?? 0).magnitude <= UInt(Value.maximumSafeInteger) else { return false }
                writer.put(number == nil ? 0 : 1)
                writer.put(Double(number ?? 0))
            case .maybeBool:
                let flag = source.load(as: Bool?.self)
                writer.put(flag == nil ? 2 : flag == true ? 1 : 0)
            case .maybeText:
                let text = source.assumingMemoryBound(to: String?.self)
                if let text = text.pointee { try writer.put(text: text) } else { writer.put(.nan) }
            case .other: try write(index, memory, into: writer)
            }
        }
        return true
    }

    private func makeShape() throws -> Double {
        let cells = steps.indices.map { index -> (name: String, cell: ShapeCell) in
            switch steps[index].kind {
            case .double, .int: (names[index], .number)
            case .bool: (names[index], .bool)
            case .text: (names[index], .text)
            case .maybeDouble, .maybeInt: (names[index], .maybeNumber)
            case .maybeBool: (names[index], .maybeBool)
            case .maybeText: (names[index], .maybeText)
            case .other: (names[index], .tagged)
            }
        }
        let made = try context.addShape(ShapeCodeGenerator.builder(of: cells))
        table.pointee.shape = made
        return made
    }
}

extension JSContext {
    /// Adds a builder and returns its tag.
    func addShape(_ source: String) throws -> Double {
        JSValueToNumber(ref, try call(script.addShape, [runShape(source)]), nil)
    }
}
