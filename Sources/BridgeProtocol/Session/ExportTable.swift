package import BridgeValues

/// The references that the other side holds to this one, each with the number of times it was passed.
///
/// It stores a count, not an array of holders. If a reference comes back while another is under way, it is released
/// once less than it was passed, so neither is lost. An id is never reused, so messages about a released one have no
/// effect.
package struct ExportTable: Sendable {
    private struct Export {
        let target: any ReferenceTarget
        var count: UInt64
    }

    private var exports: [String: Export] = [:]
    private let maximum: Int

    /// Creates an empty table.
    ///
    /// - Parameter maximum: The maximum number of targets.
    package init(maximum: Int) { self.maximum = maximum }

    /// The number of exported targets.
    package var count: Int { exports.count }

    /// Exports a target, or counts it once more.
    ///
    /// - Throws: `limitExceeded`.
    package mutating func add(_ target: any ReferenceTarget) throws(BridgeError) {
        let id = target.record.id
        if exports[id] != nil {
            exports[id]?.count += 1
            return
        }
        guard exports.count < maximum else {
            let text = "The other side holds too many references: \(exports.count) (limit \(maximum))."
            throw BridgeError(.limitExceeded, text)
        }
        exports[id] = Export(target: target, count: 1)
    }

    /// Returns the target that was exported under an id.
    package func target(_ id: String) -> (any ReferenceTarget)? { exports[id]?.target }

    /// Releases a number of references to a target.
    ///
    /// - Returns: The target once its last reference is released, to be released outside any lock; `nil` for an unknown
    ///   id,
    ///   which has no effect.
    package mutating func release(_ id: String, count: UInt64 = 1) -> (any ReferenceTarget)? {
        guard let export = exports[id] else { return nil }
        guard count >= export.count else {
            exports[id]?.count -= count
            return nil
        }
        exports[id] = nil
        return export.target
    }

    /// Removes all targets because the other side is gone.
    ///
    /// - Returns: The targets, to be released outside any lock.
    package mutating func removeAll() -> [any ReferenceTarget] {
        defer { exports = [:] }
        return exports.values.map(\.target)
    }
}
