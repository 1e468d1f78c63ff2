/// How numbers, text and calls cross the engine's border.
///
/// There is one lane today, the public C API. Direct host functions, which depend on the library's private
/// layout, will be a second one behind this same choice: everything above calls `HostFunction` and
/// `ValueTransfer` and does not know which lane serves.
struct CrossingLane: Sendable {
    /// The lane's name, for the log and for `--version --verbose`.
    let name: String
    /// Why this lane is used, for the same readers.
    let reason: String

    /// The lane that this process uses.
    static let current = CrossingLane(name: "C API", reason: "the only lane of this version")
}
