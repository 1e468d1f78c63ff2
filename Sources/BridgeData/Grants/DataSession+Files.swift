internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    /// Opens a file that a script names, if the grants allow it.
    ///
    /// The file must be below a granted folder if the grants have rules for files, or deny everything that has no rule.
    /// No symbolic link is followed below that folder. Otherwise the file may be anywhere. It must be a regular file in
    /// any case.
    ///
    /// - Parameter given: The path as the script gave it; a relative one starts at the configuration's folder.
    /// - Returns: The file, and its path on the host.
    /// - Throws: ``BridgeError`` with `denied`, which the audit receives too; ``StoreError`` for a file that cannot be
    ///   opened.
    func openFile(_ given: String) throws -> (file: RegularFile, path: String) {
        guard !given.isEmpty, !given.utf8.contains(0) else {
            throw refuse(file: given, BridgeDenial.Refusal(.notGranted, "no path"))
        }
        guarding.refresh()
        let (rules, allowsOthers) = (guarding.grants.files, guarding.grants.allowsOthers)
        let allowed = rules.filter(\.isAllowance)
        let denied = rules.filter { !$0.isAllowance }
        let path = FilePath.absolute(given, from: configuration.baseDirectory)
        let isAnywhere = !guarding.grants.limitsFiles && allowsOthers
        // Checked before anything is opened, so that a script cannot find out whether a file exists below a denied
        // folder.
        if !denied.isEmpty, FilePath.deepest(denied, above: candidates(given) + [realPath(given)]) != nil {
            throw refuse(file: given, BridgeDenial.Refusal(.denied, "below a denied folder"))
        }
        let place = isAnywhere ? nil : FilePath.deepest(allowed, above: candidates(given))
        if !isAnywhere, place == nil {
            throw refuse(file: given, BridgeDenial.Refusal(.notGranted, "below no granted folder"))
        }
        let file: RegularFile
        do throws(RegularFile.Problem) {
            file =
                if let (rule, rest) = place {
                    try RegularFile(path: rest, below: rule.folder, maximumBytes: rule.maximumBytes)
                } else {
                    try RegularFile(path: FilePath.joined(given, to: configuration.baseDirectory))
                }
        } catch {
            throw self.error(error, opening: given, path)
        }
        // Checked again by the opened file, because the target of a link may have been replaced in the meantime.
        if !denied.isEmpty {
            guard let real = file.realPath, FilePath.deepest(denied, above: [real]) == nil else {
                throw refuse(file: given, BridgeDenial.Refusal(.denied, "below a denied folder"))
            }
        }
        return (file, path)
    }

    /// Returns the possible absolute paths of a path: by the folder's own name and by the target of its links.
    private func candidates(_ given: String) -> [String] {
        let plain = FilePath.absolute(given, from: configuration.baseDirectory)
        guard !given.hasPrefix("/"), let base = FilePath.real(configuration.baseDirectory) else {
            return [plain]
        }
        return [plain, FilePath.absolute(given, from: base)]
    }

    /// Returns the path that a file has or would have, with the links of existing folders resolved.
    private func realPath(_ given: String) -> String {
        var folder = Substring(FilePath.joined(given, to: configuration.baseDirectory))
        var rest: [Substring] = []
        while !folder.isEmpty {
            if let real = FilePath.real(String(folder)) {
                return FilePath.absolute(rest.reversed().joined(separator: "/"), from: real)
            }
            guard let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { break }
            let name = folder[folder.utf8.index(after: slash)...]
            if !name.isEmpty { rest.append(name) }
            folder = folder[..<slash]
        }
        return FilePath.absolute(given, from: configuration.baseDirectory)
    }

    private func error(_ problem: RegularFile.Problem, opening given: String, _ path: String) -> any Error {
        switch problem {
        case .leadsOut: return refuse(file: given, BridgeDenial.Refusal(.file, problem.reason))
        case .tooLarge:
            connection.reportDenial(BridgeDenial.Refusal(.payloadSize, problem.reason), of: given, .import)
            return BridgeError(
                .limitExceeded,
                "the file \(MessageText.quoted(given)) is larger than this script may import"
            )
        case .unsupported: return BridgeError(.unsupported, problem.reason)
        case .notRegular, .system:
            if problem == .notRegular {
                connection.reportDenial(BridgeDenial.Refusal(.file, problem.reason), of: given, .import)
            }
            return StoreError(
                .cannotOpen,
                "\(path) cannot be read: \(problem.reason)",
                forScripts: "\(MessageText.quoted(given)) cannot be read: \(problem.reason)"
            )
        }
    }

    private func refuse(file given: String, _ refusal: BridgeDenial.Refusal) -> BridgeError {
        guarding.refuse(refusal, .import, given, "the file \(MessageText.quoted(given))")
    }
}

/// Functions on paths as strings; only ``real(_:)`` reads the file system.
private enum FilePath {
    /// Returns a path, with the folder before it if it is relative.
    static func joined(_ path: String, to folder: String) -> String {
        guard !path.hasPrefix("/"), !folder.isEmpty, folder != "." else { return path }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    /// Returns the absolute path without `.`, `..` and doubled slashes.
    static func absolute(_ path: String, from folder: String) -> String {
        var whole = joined(path, to: folder)
        if !whole.hasPrefix("/") { whole = FileManager.default.currentDirectoryPath + "/" + whole }
        var parts: [Substring] = []
        for part in whole.split(separator: "/", omittingEmptySubsequences: true) where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Returns the absolute path with links resolved, or `nil` if the file does not exist.
    static func real(_ path: String) -> String? {
        guard let resolved = realpath(path.isEmpty ? "." : path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }

    /// Returns the rule with the deepest folder above one of some paths, and the rest of that path.
    static func deepest(
        _ rules: [BridgeGrants.FileRule],
        above paths: [String]
    ) -> (rule: BridgeGrants.FileRule, rest: String)? {
        var best: (rule: BridgeGrants.FileRule, rest: String, depth: Int)?
        for rule in rules {
            let folders = [absolute(rule.folder, from: "."), real(rule.folder)].compactMap(\.self)
            for folder in folders {
                for path in paths {
                    guard let rest = rest(of: path, below: folder), folder.utf8.count >= best?.depth ?? 0
                    else { continue }
                    best = (rule, rest, folder.utf8.count)
                }
            }
        }
        return best.map { ($0.rule, $0.rest) }
    }

    private static func rest(of path: String, below folder: String) -> String? {
        let prefix = folder == "/" ? "/" : folder + "/"
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        let rest = String(path.utf8.dropFirst(prefix.utf8.count)) ?? ""
        return rest.isEmpty ? nil : rest
    }
}
