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
    /// The beginnings of the names of those that came with a later version: told, as extensions are, and not asked for.
    var laterRules: [String] = []
    /// Whether the scripts of the first versions are meant too, which write and log some things in another form.
    var isEarly = false

    /// All of them, in the order of the table in Documentation/Dialects.md.
    public static let all = [
        ConformanceProfile(name: "wvjb6", dialect: .wvjb6, isRespelled: true),
        ConformanceProfile(
            name: "wvjb5",
            dialect: .wvjb5,
            isRespelled: true,
            laterRules: switchRules + ["P9 window.onerror is set"],
            isEarly: true
        ),
        // What has no name, or an empty one, is for the default handler. The set-up list and the call with a function for data
        // came with version 5.
        ConformanceProfile(
            name: "wvjb4",
            dialect: .wvjb4,
            isRespelled: true,
            exceptions: ["P60 ", "P69 ", "P62 the empty"],
            laterRules: switchRules + [
                "P9 window.onerror is set", "P3 ", "P5 ", "P6 ", "P7 ", "P8 ", "P26 ", "P11 P12 ", "P12 ",
            ],
            isEarly: true
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
                "P54 P56 ", "P1 the", "P4 ", "P20 P36 ", "P36 P37 after", "P37 after", "P37 P39 ", "P38 what",
                "P42 with the safety", "P35 with the safety", "P57 with the safety",
            ]
        ),
        ConformanceProfile(name: "kkjsBridge", dialect: .kkjsBridge, isRespelled: false),
        ConformanceProfile(name: "dsBridge", dialect: .dsBridge, isRespelled: false),
    ]

    /// About switching the safety timeout off, which version 5.0.5 and those before cannot do.
    private static let switchRules = [
        "P1 the global has", "P20 P36 ", "P35 with the safety", "P36 P37 ", "P37 ", "P38 ",
        "P42 with the safety",
        "P45 a response that comes again", "P57 with the safety",
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
            return text.name == own ? file : file.spelled(for: self)
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
