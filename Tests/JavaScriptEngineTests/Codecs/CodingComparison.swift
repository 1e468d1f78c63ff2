import BridgeValues
import Testing

@testable import JavaScriptEngine

/// A comparison of the results of codecs with those of coding by ``Value``.
enum CodingComparison {
    private static func describe(_ error: any Error) -> String {
        // An error of the package may have passed through the engine.
        let error = BridgeError(wrapping: error)
        // The path of an error of reading begins at the value that is read.
        return error.code == .encodeFailed ? "\(error.code)" : "\(error.code): \(error.message)"
    }

    /// Returns whether two results are the same: the same value with equal parts, or the same error.
    static func areSame<Subject: Equatable>(
        _ left: Result<Subject, any Error>,
        _ right: Result<Subject, any Error>
    ) -> Bool {
        switch (left, right) {
        case (.failure(let left), .failure(let right)): describe(left) == describe(right)
        // The description of a dictionary or a set has no fixed order. Otherwise it distinguishes -0 and equals NaN.
        case (.success(let left), .success(let right)):
            "\(left)" == "\(right)" || left == right && "\(left)".count == "\(right)".count
        default: false
        }
    }

    /// Runs a body that decodes as in a message.
    static func inMessage<Subject>(_ context: JSContext, _ body: () throws -> Subject) rethrows -> Subject {
        context.decodeMeter.pointee.isMessage = true
        defer { context.decodeMeter.pointee.isMessage = false }
        return try body()
    }

    /// Compares the encoding of a value, twice, because types are learned at their first value.
    static func checkEncoding<Subject: Encodable>(
        _ subject: Subject,
        in context: JSContext,
        _ comment: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for _ in 0..<2 {
            let expected = Result { try ValueEncoder().encode(subject) }
            let found = Result { try JSValue(encoding: subject, in: context).toValue() }
            #expect(
                areSame(found, expected),
                "\(subject): \(found), not \(expected) \(comment)",
                sourceLocation: sourceLocation
            )
        }
    }

    /// Compares the decoding of a value, outside and inside of a message.
    static func checkDecoding<Subject: Decodable & Equatable>(
        _ type: Subject.Type,
        in context: JSContext,
        _ comment: String,
        isMessageOnly: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ value: () throws -> JSValue
    ) {
        let expected = Result { try ValueDecoder().decode(type, from: value().toValue()) }
        if !isMessageOnly {
            let found = Result { try value().decode(type) }
            #expect(
                areSame(found, expected),
                "\(type) of \(comment): \(found), not \(expected)",
                sourceLocation: sourceLocation
            )
        }
        let message = Result { try inMessage(context) { try value().decode(type) } }
        #expect(
            areSame(message, expected),
            "\(type) of \(comment) in a message: \(message), not \(expected)",
            sourceLocation: sourceLocation
        )
    }
}
