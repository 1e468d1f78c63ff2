internal import BridgeValues

/// The modules that are built into Node.js, which packages import and this runtime does not have.
enum NodeModules {
    private static let names: Set<String> = [
        "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto",
        "dgram", "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https",
        "inspector",
        "module", "net", "os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl",
        "sea", "sqlite", "stream", "string_decoder", "sys", "test", "timers", "tls", "trace_events", "tty",
        "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib",
    ]
    private static let replacements = [
        "fs": "bridge:fs", "process": "bridge:process", "test": "bridge:test",
    ]

    /// Returns the name without the scheme `node:`; `nil` for a specifier without it.
    static func name(of specifier: String) -> String? {
        let scheme = "node:"
        guard specifier.utf8.starts(with: scheme.utf8) else { return nil }
        return String(Substring(specifier.utf8.dropFirst(scheme.utf8.count)))
    }

    /// Returns the sentence for a specifier that no package has; `nil` for one that Node does not have either.
    static func reason(for specifier: String) -> String? {
        let name = name(of: specifier) ?? specifier
        let module = String(name.prefix { $0 != "/" })
        guard names.contains(module) else { return nil }
        let hint = replacements[module].map { "; \"\($0)\" has similar functions" } ?? ""
        return "is a module of Node.js, which this runtime does not have, and no package has its name\(hint)"
    }
}
