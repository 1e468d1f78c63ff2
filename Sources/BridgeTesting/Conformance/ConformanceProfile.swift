public import BridgeProtocol
internal import BridgeValues
internal import CConformance

/// A dialect, and the vectors that hold in it.
///
/// The vectors are those of `Tests/Conformance/wire`, shipped inside this module.
///
/// ```swift
/// let profile = try #require(ConformanceProfile.named("lision"))
/// let conformance = ScriptConformance(script: text, dialect: ConformanceDialect(profile.dialect))
/// let report = try conformance.report(on: profile.files(for: .script))
/// ```
public struct ConformanceProfile: Sendable, Hashable {
    /// The dialect's name for people to write, such as `wvjb6` and `lision`.
    public let name: String
    /// The dialect.
    public let dialect: BridgeDialect
    /// Whether what holds for WebViewJavascriptBridge 6 holds here too, in other names and keys.
    let isRespelled: Bool
    /// The beginnings of the names of those that do not.
    var exceptions: [String] = []

    /// All of them, in the order of the table in Documentation/Dialects.md.
    public static let all = [
        ConformanceProfile(name: "wvjb6", dialect: .wvjb6, isRespelled: true),
        ConformanceProfile(name: "wvjb5", dialect: .wvjb5, isRespelled: true),
        // What has no name, or an empty one, is for the default handler.
        ConformanceProfile(
            name: "wvjb4",
            dialect: .wvjb4,
            isRespelled: true,
            exceptions: ["P60 ", "P69 ", "P62 the empty"]
        ),
        ConformanceProfile(name: "jsBridge", dialect: .jsBridge, isRespelled: false),
        ConformanceProfile(name: "wendux", dialect: .wendux, isRespelled: false),
        // The words of its log are its own, it has one entry, no safety timeout that could be switched off, and an injection
        // is silent.
        ConformanceProfile(
            name: "lision",
            dialect: .lision,
            isRespelled: true,
            exceptions: [
                "P54 P56 ", "P1 the", "P4 ", "P20 P36 ", "P36 P37 after", "P37 after", "P38 what",
                "P42 with the safety", "P35 with the safety", "P57 with the safety",
            ]
        ),
        ConformanceProfile(name: "kkjsBridge", dialect: .kkjsBridge, isRespelled: false),
        ConformanceProfile(name: "dsBridge", dialect: .dsBridge, isRespelled: false),
    ]

    /// The profile of a name, whatever the case of its letters.
    public static func named(_ name: String) -> ConformanceProfile? {
        all.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The files of vectors for one side, those of all dialects before the dialect's own.
    ///
    /// - Throws: ``BridgeError`` if a file is not in the format, which would be a mistake of this package.
    public func files(for side: ConformanceVector.Side) throws -> [ConformanceFile] {
        let own = side == .script ? "dialects/\(name)" : "dialects/native-\(name)"
        return try Self.texts.compactMap { text in
            guard text.name == own || (isRespelled && !text.name.contains("/")) else { return nil }
            let file = try ConformanceFile(json: text.json)
            guard file.vectors.first?.side == side else { return nil }
            return text.name == own ? file : file.spelled(in: dialect, except: exceptions)
        }
    }

    /// The shipped files: the name without its ending, and the text.
    static var texts: [(name: String, json: String)] {
        let texts = (0..<conformance_count()).map { index in
            let text = conformance_text(index)
            let bytes = UnsafeBufferPointer(start: text.bytes, count: text.count)
            return (name: String(cString: text.name), json: String(decoding: bytes, as: UTF8.self))
        }
        return texts.filter { !$0.name.contains("/") } + texts.filter { $0.name.contains("/") }
    }
}
