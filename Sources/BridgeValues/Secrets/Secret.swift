/// A value that is hidden from logs, traces and errors (R38): a password, a token, a key.
///
/// ```swift
/// struct Login: Codable { var user: String, password: Secret<String> }
/// ```
///
/// It crosses as the value itself, so that scripts see it like any other value. It is hidden from the output that
/// people read. Its description and its mirror show nothing, and a decoding error names only its path. The bridge's log
/// replaces every member that has the name of a member of this type by `"[secret]"`, in all payloads.
///
/// The names are found before the first message, from the properties of the types that handlers accept and calls
/// request. Later they are also found from every secret that is decoded or encoded. A type with its own coding may hide
/// its secrets from this search: other names than its properties, a payload of an enumeration, a value of any type that
/// conforms to a protocol. The log shows everything that scripts send to such a type as `"[secret]"`. A type must store
/// its secrets as `Secret`; one that only decodes a secret and stores its content is not recognized.
public struct Secret<Wrapped> {
    /// The value.
    public var value: Wrapped

    /// Creates a secret from a value.
    public init(_ value: Wrapped) { self.value = value }
}

extension Secret: Sendable where Wrapped: Sendable {}
extension Secret: Equatable where Wrapped: Equatable {}
extension Secret: Hashable where Wrapped: Hashable {}

extension Secret: Decodable where Wrapped: Decodable {
    /// Decodes the value.
    ///
    /// - Throws: A `DecodingError` with the path and no part of the value.
    public init(from decoder: any Decoder) throws {
        SecretMembers.shared.note(decoder.codingPath)
        do {
            value = try Wrapped(from: decoder)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a secret has an unexpected type")
            )
        }
    }
}

extension Secret: Encodable where Wrapped: Encodable {
    /// Encodes the value.
    ///
    /// - Throws: An `EncodingError` with the path and no part of the value.
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
    /// The string `[secret]`.
    public var description: String { SecretMembers.mark }
    /// The string `[secret]`.
    public var debugDescription: String { SecretMembers.mark }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
