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
        case let type as any ScalarMember.Type: return leaf(type)
        case let type as any Composite.Type: return type.makeCodec(in: self)
        case let type as any JSValueRepresentable.Type: return crossing(type)
        case let type as any JSShaped.Type: return shaped(type)
        case is Value.Type, is Date.Type, is Data.Type, is URL.Type, is Decimal.Type: return inSteps(type)
        // The keys of these types are data and do not form a shape.
        case is any Keyed.Type: return inSteps(type)
        case is any Decodable.Type, is any Encodable.Type: return learned(type)
        default: return inSteps(type)
        }
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

    private func inSteps(_ type: Any.Type) -> Codec {
        func open<Subject>(_ type: Subject.Type) -> Codec { ValueCodec<Subject>(in: context) }
        return _openExistential(type, do: open)
    }
}

/// A type that is made of other types.
private protocol Composite {
    static func makeCodec(in table: CodecTable) -> Codec
}

/// A type whose keys are not known from the type.
private protocol Keyed {}

extension Dictionary: Keyed {}
extension Set: Keyed {}

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
