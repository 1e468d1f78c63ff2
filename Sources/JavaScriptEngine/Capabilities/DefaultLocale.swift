internal import CJavaScriptCoreSPI

/// The locale that `Intl` and `toLocaleString` take where a script names none.
package enum DefaultLocale {
    /// Takes it from the variables of the environment, as programs of the C library do: `LC_ALL`, else `LC_CTYPE`, else
    /// `LANG`.
    ///
    /// It is of the whole process, so only a program's own beginning may say so, before its first bridge. `C`, `POSIX` and
    /// what is no name of a locale leave English.
    package static func adopt(from environment: [String: String]) {
        guard let name = name(in: environment) else { return }
        _ = name.withCString(jsb_set_default_locale)
    }

    /// The name of the locale, without its encoding: `de_DE` of `de_DE.UTF-8`.
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
