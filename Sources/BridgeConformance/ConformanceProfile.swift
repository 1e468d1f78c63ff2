public import BridgeProtocol
internal import BridgeValues
internal import CConformance
internal import Synchronization
internal import WebViewBridgeDialects

/// A dialect, and its vectors.
///
/// The vectors are those of `Tests/Conformance/wire`, which this module contains.
///
/// ```swift
/// let profile = try #require(ConformanceProfile.named("lision"))
/// let conformance = ScriptConformance(script: text, dialect: ConformanceDialect(profile.dialect))
/// let report = try conformance.report(on: profile.files(for: .script))
/// ```
public struct ConformanceProfile: Sendable, Hashable {
    /// The short name of the dialect, such as `wvjb6` and `lision`.
    public let name: String
    /// The dialect.
    public let dialect: BridgeDialect
    /// A Boolean value that indicates whether the vectors of WebViewJavascriptBridge 6 apply here too, with other names
    /// and keys.
    let isRespelled: Bool
    /// The prefixes of the names of vectors that do not apply.
    var exceptions: [String] = []
    /// The prefixes of the names of vectors that later versions introduced: they are reported as extensions, and not
    /// required.
    var laterRules: [String] = []
    /// A Boolean value that indicates whether the scripts of the earliest versions are included, which write and log
    /// some things in another form.
    var isEarly = false

    /// All profiles, in the order of the table in JavaScriptBridge.docc/Dialects.md.
    public static let all = [
        ConformanceProfile(name: "wvjb6", dialect: .wvjb6, isRespelled: true),
        ConformanceProfile(
            name: "wvjb5",
            dialect: .wvjb5,
            isRespelled: true,
            laterRules: switchRules + ["P9 window.onerror is set"],
            isEarly: true
        ),
        // A message without a name, or with an empty one, is for the default handler. The set-up array and the call
        // with a function as data came with version 5.
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
        // Its log has its own wording, it has one entry and no switch for the safety timeout, and an injection raises
        // no signal.
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

    /// The rules about disabling the safety timeout, which version 5.0.5 and earlier do not support.
    private static let switchRules = [
        "P1 the global has", "P20 P36 ", "P35 with the safety", "P36 P37 ", "P37 ", "P38 ",
        "P42 with the safety",
        "P45 a response that comes again", "P57 with the safety",
    ]

    /// Returns the profile with a name, ignoring case.
    public static func named(_ name: String) -> ConformanceProfile? {
        all.first { $0.name.lowercased() == name.lowercased() }
    }

    /// Returns the files of vectors for one side: those of all dialects before the dialect's own.
    ///
    /// - Throws: ``BridgeError`` if a file does not have the format, which would be a mistake of this package.
    public func files(for side: ConformanceVector.Side) throws -> [ConformanceFile] {
        let own = side == .script ? "dialects/\(name)" : "dialects/native-\(name)"
        let names = Self.texts.map(\.name).filter { $0 == own || (isRespelled && !$0.contains("/")) }
        return try zip(names, Self.parsed(names)).compactMap { name, file in
            guard file.vectors.first?.side == side else { return nil }
            return name == own ? file : file.spelled(for: self)
        }
    }

    /// The files that were parsed so far: most profiles have the same ones.
    private static let parsedFiles = Mutex<[String: ConformanceFile]>([:])

    private static func parsed(_ names: [String]) throws -> [ConformanceFile] {
        try parsedFiles.withLock { files in
            let missing = texts.filter { names.contains($0.name) && files[$0.name] == nil }
            if !missing.isEmpty {
                let parser = try ConformanceText()
                for text in missing {
                    files[text.name] = try ConformanceFile(json: text.json, parser: parser)
                }
            }
            return names.compactMap { files[$0] }
        }
    }

    /// The files in this module: the name without its extension, and the text.
    static var texts: [(name: String, json: String)] {
        let texts = (0..<conformance_count()).map { index in
            let text = conformance_text(index)
            let bytes = UnsafeBufferPointer(start: text.bytes, count: text.count)
            return (name: String(cString: text.name), json: String(decoding: bytes, as: UTF8.self))
        }
        return texts.filter { !$0.name.contains("/") } + texts.filter { $0.name.contains("/") }
    }
}
