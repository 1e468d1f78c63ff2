internal import Foundation
internal import Synchronization

/// The permissions of a bridge's scripts in effect: the granted folders, open, and the decisions of the host.
final class ScriptAccess: Sendable {
    /// A request by the absolute path, byte for byte.
    private struct Key: Hashable {
        let access: ScriptPermissions.FileAccess
        let path: ByteEqualString
    }

    private struct State {
        var roots: [ScriptPermissions.FileAccess: [FileRoot]] = [:]
        var decisions: [Key: ScriptPermissions.Decision] = [:]
    }

    /// A decision of the host, and the place that it is about.
    private struct Answer: Sendable {
        let decision: ScriptPermissions.Decision
        let root: Result<FileRoot, RegularFile.Problem>
    }

    let permissions: ScriptPermissions
    private let requests: PermissionRequests?
    private let report: @Sendable (BridgeDenial.Refusal, String) -> Void
    private let base: [String]
    private let denied: [ScriptPermissions.FileAccess: DeniedPaths]
    private let state = Mutex(State())

    /// Opens the granted folders.
    ///
    /// - Parameters:
    ///   - permissions: The permissions.
    ///   - tier: The tier of the scripts; constrained ones get no access to the root folder.
    ///   - requests: The requests to the host for a permission that is missing; `nil` denies it.
    ///   - report: Records a denial.
    /// - Throws: ``BridgeError`` for a granted path whose folder cannot be opened.
    init(
        _ permissions: ScriptPermissions,
        tier: ExecutionTier,
        requests: PermissionRequests?,
        report: @escaping @Sendable (BridgeDenial.Refusal, String) -> Void
    ) throws(BridgeError) {
        self.permissions = permissions
        self.requests = requests
        self.report = report
        let here = try ScriptPath(FileManager.default.currentDirectoryPath, from: []).names
        base =
            try permissions.baseFolder.map { path throws(BridgeError) in
                try ScriptPath(path, from: here).names
            } ?? here
        var denied: [ScriptPermissions.FileAccess: DeniedPaths] = [:]
        for access in ScriptPermissions.FileAccess.allCases {
            denied[access] = DeniedPaths(
                try permissions.deniedPaths(access).map { path throws(BridgeError) in
                    try ScriptPath(path, from: here)
                }
            )
        }
        self.denied = denied
        for access in ScriptPermissions.FileAccess.allCases {
            for path in permissions.paths(access) {
                let path = try ScriptPath(path, from: here)
                guard tier == .trusted || !path.names.isEmpty else {
                    throw BridgeError(
                        .invalidArgument,
                        "the granted path \(Printable.quoted(path.given)) is the root folder, which the \(tier) tier refuses"
                    )
                }
                do throws(RegularFile.Problem) {
                    let root = try FileRoot(path)
                    state.withLock { $0.roots[access, default: []].append(root) }
                } catch {
                    throw BridgeError(
                        .invalidArgument,
                        "the granted path \(Printable.quoted(path.given)) cannot be opened: \(error.reason)"
                    )
                }
            }
        }
    }

    /// Returns the place of a path that a script may access.
    ///
    /// - Parameters:
    ///   - given: The path as the script gave it.
    ///   - access: The kind of access.
    ///   - includesContent: Whether the access moves or removes all that is below the path.
    /// - Returns: The place.
    /// - Throws: ``BridgeError`` with `denied` for another path, `invalidArgument` for one that cannot be a path.
    func place(
        _ given: String,
        for access: ScriptPermissions.FileAccess,
        includesContent: Bool = false
    ) async throws(BridgeError) -> FilePlace {
        let path = try ScriptPath(given, from: base)
        func isDenied(_ place: FilePlace) -> Bool {
            denied[access]?.contain(path, at: place, includesContent: includesContent) == true
        }
        if let place = grantedPlace(of: path, access) {
            if isDenied(place) { throw denial(of: given, access, nil) }
            return place
        }
        // Before the host is asked; the place of a path that does not exist is not denied, because it has no content.
        if let place = try? FileRoot.opening(path).get().place(of: path), isDenied(place) {
            throw denial(of: given, access, nil)
        }
        guard let requests else { throw denial(of: given, access, nil) }
        let answer = await answer(about: path, access, requests)
        if case .deny(let hint) = answer.decision { throw denial(of: given, access, hint) }
        let root: FileRoot
        do throws(RegularFile.Problem) {
            root = try answer.root.get()
        } catch {
            throw fileError(error, given)
        }
        guard let place = root.place(of: path), !isDenied(place) else { throw denial(of: given, access, nil) }
        if answer.decision == .allow { state.withLock { $0.roots[access, default: []].append(root) } }
        return place
    }

    private func grantedPlace(of path: ScriptPath, _ access: ScriptPermissions.FileAccess) -> FilePlace? {
        state.withLock { state in
            for root in state.roots[access] ?? [] {
                if let place = root.place(of: path) { return place }
            }
            return nil
        }
    }

    // MARK: - Decisions of the host

    /// Asks the host, unless it has decided about the same for good.
    ///
    /// The place is opened first, and the decision is about its path without symbolic links. So nothing that changes
    /// while the host decides leads to another place.
    private func answer(
        about path: ScriptPath,
        _ access: ScriptPermissions.FileAccess,
        _ requests: PermissionRequests
    ) async -> Answer {
        await requests.perform { ask in
            // Here, so that many requests which wait keep no folders open.
            let root = FileRoot.opening(path)
            let real = root.realPath(of: path)
            let key = Key(access: access, path: ByteEqualString(real))
            if let known = self.state.withLock({ $0.decisions[key] }) {
                return Answer(decision: known, root: root)
            }
            let decision = await ask(.file(access, path: real, requested: path.absolute))
            if decision != .allowOnce { self.state.withLock { $0.decisions[key] = decision } }
            guard root.realPath(of: path).utf8.elementsEqual(real.utf8) else {
                return Answer(decision: .deny(hint: "it was moved before it was allowed"), root: root)
            }
            return Answer(decision: decision, root: root)
        }.value
    }

    private func denial(of path: String, _ access: ScriptPermissions.FileAccess, _ hint: String?)
        -> BridgeError
    {
        let verb = access == .read ? "reading" : "writing"
        report(BridgeDenial.Refusal(.notGranted, "\(verb) a file"), path)
        let advice = hint.map { ": \($0)" } ?? ""
        return BridgeError(
            .denied,
            "\(verb) \(Printable.quoted(path)) is not granted to this script\(advice)",
            data: .object(["path": .string(path)])
        )
    }

    /// Returns the error of a file operation, with the path as the script gave it.
    func fileError(_ problem: RegularFile.Problem, _ path: String) -> BridgeError {
        if problem == .leadsOut { report(BridgeDenial.Refusal(.file, "a symbolic link"), path) }
        return BridgeError(problem, path: path)
    }
}

extension BridgeError {
    /// Creates the error of a file operation.
    init(_ problem: RegularFile.Problem, path: String) {
        var data: ValueObject = ["path": .string(path)]
        if let name = problem.systemName { data["errno"] = .string(name) }
        self.init(problem.code, "\(Printable.quoted(path)): \(problem.reason)", data: .object(data))
    }
}

extension RegularFile.Problem {
    private static let systemErrors: [Int32: (name: String, code: BridgeErrorCode)] = [
        ENOENT: ("ENOENT", "fs.notFound"), EEXIST: ("EEXIST", "fs.exists"),
        ENOTDIR: ("ENOTDIR", "fs.notDirectory"), EISDIR: ("EISDIR", "fs.isDirectory"),
        ENOTEMPTY: ("ENOTEMPTY", "fs.notEmpty"), EACCES: ("EACCES", "fs.notPermitted"),
        EPERM: ("EPERM", "fs.notPermitted"), EROFS: ("EROFS", "fs.notPermitted"),
        ENOSPC: ("ENOSPC", "fs.noSpace"), EDQUOT: ("EDQUOT", "fs.noSpace"), EBUSY: ("EBUSY", "fs.busy"),
        EXDEV: ("EXDEV", "fs.otherDevice"), EFBIG: ("EFBIG", "fs.noSpace"),
        ENAMETOOLONG: ("ENAMETOOLONG", "invalidArgument"), EINVAL: ("EINVAL", "invalidArgument"),
        EMFILE: ("EMFILE", "overloaded"), ENFILE: ("ENFILE", "overloaded"), EIO: ("EIO", "fs.failed"),
    ]

    /// The system's name of the error.
    fileprivate var systemName: String? {
        if case .system(let number) = self { Self.systemErrors[number]?.name } else { nil }
    }

    /// The code of the error that scripts get.
    fileprivate var code: BridgeErrorCode {
        switch self {
        case .system(let number): Self.systemErrors[number]?.code ?? "fs.failed"
        case .notRegular: "fs.notRegular"
        case .leadsOut: .denied
        case .tooLarge: .limitExceeded
        case .unsupported: .unsupported
        }
    }
}

extension Result<FileRoot, RegularFile.Problem> {
    /// Returns the path of a place without symbolic links in its folders, or as it was requested if it was not opened.
    fileprivate func realPath(of path: ScriptPath) -> String { (try? get())?.realPath ?? path.absolute }
}
