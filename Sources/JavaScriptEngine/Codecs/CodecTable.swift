internal import BridgeValues
internal import Foundation

/// The codecs of a context, by type.
@usableFromInline
final class CodecTable {
    unowned(unsafe) let context: JSContext
    private var codecs: [ObjectIdentifier: Codec] = [:]

    init(_ context: JSContext) { self.context = context }

    deinit { for codec in codecs.values { codec.releaseContents() } }

    /// Returns the codec of a type, and creates it at the first call.
    @usableFromInline
    func codec(for type: Any.Type) -> Codec {
        if let codec = codecs[ObjectIdentifier(type)] { return codec }
        let codec = make(type)
        codecs[ObjectIdentifier(type)] = codec
        return codec
    }

    /// Registers a codec before it has learned its members, for a recursive type.
    func note(_ codec: Codec, for type: Any.Type) { codecs[ObjectIdentifier(type)] = codec }

    private func make(_ type: Any.Type) -> Codec {
        switch type {
        case let type as any NumberMember.Type: return number(type)
        case let type as any ScalarMember.Type: return leaf(type)
        case is Date.Type: return DateCodec(in: context)
        case let type as any Composite.Type: return type.makeCodec(in: self)
        case let type as any JSValueRepresentable.Type: return crossing(type)
        case let type as any JSShaped.Type: return shaped(type)
        case is Value.Type, is Data.Type: return inSteps(type)
        case is any Decodable.Type, is any Encodable.Type: return learned(type)
        default: return inSteps(type)
        }
    }

    private func number<Subject: NumberMember>(_ type: Subject.Type) -> Codec {
        NumberCodec<Subject>(in: context)
    }

    private func leaf<Subject: ScalarMember>(_ type: Subject.Type) -> Codec {
        ScalarCodec<Subject>(in: context)
    }

    private func crossing<Subject: JSValueRepresentable>(_ type: Subject.Type) -> Codec {
        JSValueCodec<Subject>(in: context)
    }

    private func learned(_ type: Any.Type) -> Codec {
        func open<Subject>(_ type: Subject.Type) -> Codec {
            InferredObjectCodec(.init(of: type), isSecret: type is any SecretType.Type, in: context)
        }
        return _openExistential(type, do: open)
    }

    private func shaped<Subject: JSShaped>(_ type: Subject.Type) -> Codec {
        let codec = ShapedCodec<Subject>(in: context)
        note(codec, for: type)
        codec.learn(from: self)
        return codec
    }

    fileprivate func inSteps(_ type: Any.Type) -> Codec {
        func open<Subject>(_ type: Subject.Type) -> Codec { ValueCodec<Subject>(in: context) }
        return _openExistential(type, do: open)
    }
}

/// A type that is made of other types.
private protocol Composite {
    static func makeCodec(in table: CodecTable) -> Codec
}

extension Optional: Composite {
    fileprivate static func makeCodec(in table: CodecTable) -> Codec {
        OptionalCodec<Wrapped>(table.codec(for: Wrapped.self))
    }
}

extension Array: Composite {
    fileprivate static func makeCodec(in table: CodecTable) -> Codec {
        ArrayCodec<Element>(table.codec(for: Element.self))
    }
}

extension Set: Composite {
    fileprivate static func makeCodec(in table: CodecTable) -> Codec {
        SetCodec<Element>(ArrayCodec<Element>(table.codec(for: Element.self)))
    }
}

extension Dictionary: Composite {
    fileprivate static func makeCodec(in table: CodecTable) -> Codec {
        func open<Name: MemberName>(_ type: Name.Type) -> Codec { DictionaryCodec<Name, Value>(elements()) }
        func openScalar<Element: ScalarMember>(_ type: Element.Type) -> Codec {
            ScalarDictionaryCodec<Element>(ArrayCodec<Element>(table.codec(for: Element.self)))
        }
        func elements() -> ArrayCodec<Value> { ArrayCodec<Value>(table.codec(for: Value.self)) }
        // Other keys are elements of an array. Members that are data cost less as parts of one value.
        guard let name = Key.self as? any MemberName.Type, !table.codec(for: Value.self).readsData else {
            return table.inSteps(Self.self)
        }
        if Key.self == String.self, let scalar = Value.self as? any ScalarMember.Type {
            return _openExistential(scalar, do: openScalar)
        }
        return _openExistential(name, do: open)
    }
}
