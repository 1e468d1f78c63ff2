/// A value that appears in no log, trace or error (R38): a password, a token, a key.
///
/// ```swift
/// struct Login: Codable { var user: String, password: Secret<String> }
/// ```
///
/// It crosses as the value itself, so scripts see it like any other. What it hides from is what people read: its
/// description and its mirror show nothing, an error of its decoding says only where it was, and the bridge's log
/// has `"[secret]"` in the place of every member that has the name of a member of this type, in all payloads.
///
/// Which members these are is known from the properties of the types that handlers take and calls ask for, before the first
/// message, and from every secret that is decoded or encoded. A type that codes its members in its own way (other names than
/// its properties, a payload of an enumeration, a value of any type that conforms to a protocol) has them where nobody can
/// know before: what scripts send to such a type is shown as `"[secret]"` as a whole. A type that is to hide something must
/// store it as a secret; one that only decodes a secret and stores what is in it is not seen to have one.
public struct Secret<Wrapped> {
    /// The value.
    public var value: Wrapped

    /// Hides a value.
    public init(_ value: Wrapped) { self.value = value }
}

extension Secret: Sendable where Wrapped: Sendable {}
extension Secret: Equatable where Wrapped: Equatable {}
extension Secret: Hashable where Wrapped: Hashable {}

extension Secret: Decodable where Wrapped: Decodable {
    /// Decodes the value.
    ///
    /// - Throws: A `DecodingError` that tells the place and no part of the value.
    public init(from decoder: any Decoder) throws {
        SecretMembers.shared.note(decoder.codingPath)
        do {
            value = try Wrapped(from: decoder)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a secret is of another shape")
            )
        }
    }
}

extension Secret: Encodable where Wrapped: Encodable {
    /// Encodes the value.
    ///
    /// - Throws: An `EncodingError` that tells the place and no part of the value.
    public func encode(to encoder: any Encoder) throws {
        SecretMembers.shared.note(encoder.codingPath)
        do {
            try value.encode(to: encoder)
        } catch {
            throw EncodingError.invalidValue(
                Self.self,
                .init(codingPath: encoder.codingPath, debugDescription: "a secret cannot be encoded")
            )
        }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `[secret]`.
    public var description: String { SecretMembers.mark }
    /// `[secret]`.
    public var debugDescription: String { SecretMembers.mark }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
