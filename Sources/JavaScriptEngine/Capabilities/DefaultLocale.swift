internal import CJavaScriptCoreSPI

/// The locale that `Intl` and `toLocaleString` use if a script names none.
package enum DefaultLocale {
    /// Sets the locale from environment variables, as programs of the C library do: `LC_ALL`, else `LC_CTYPE`, else
    /// `LANG`.
    ///
    /// The locale belongs to the whole process, so only a program's own start may call this, before its first bridge.
    /// `C`, `POSIX` and values that are not a locale's name leave English.
    package static func adopt(from environment: [String: String]) {
        guard let name = name(in: environment) else { return }
        _ = name.withCString(jsb_set_default_locale)
    }

    /// Returns the name of the locale without its encoding: `de_DE` for `de_DE.UTF-8`.
    package static func name(in environment: [String: String]) -> String? {
        let variables = ["LC_ALL", "LC_CTYPE", "LANG"]
        guard let value = variables.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else {
            return nil
        }
        let name = value.prefix { $0 != "." && $0 != "@" }
        let parts = name.split(whereSeparator: { $0 == "_" || $0 == "-" })
        let isName = parts.allSatisfy { part in
            part.utf8.allSatisfy { $0 < 0x80 } && part.allSatisfy { $0.isLetter || $0.isNumber }
        }
        guard isName, let language = parts.first, (2...3).contains(language.count), name != "POSIX" else {
            return nil
        }
        return parts.joined(separator: "_")
    }
}
