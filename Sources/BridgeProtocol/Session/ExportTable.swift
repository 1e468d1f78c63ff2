package import BridgeValues

/// What the other side holds of this one by reference, each with how often it was given out.
///
/// A count and no list of holders: a reference that comes back while another is on its way is released once less than it was
/// given, so that neither is lost. An id is never used twice, so what is said of one that is gone harms nothing.
package struct ExportTable: Sendable {
    private struct Export {
        let target: any ReferenceTarget
        var count: UInt64
    }

    private var exports: [String: Export] = [:]
    private let maximum: Int

    /// Makes an empty table.
    ///
    /// - Parameter maximum: How many targets it takes.
    package init(maximum: Int) { self.maximum = maximum }

    /// How many targets are given out.
    package var count: Int { exports.count }

    /// Gives a target out, once more if it is already.
    ///
    /// - Throws: `limitExceeded`.
    package mutating func add(_ target: any ReferenceTarget) throws(BridgeError) {
        let id = target.record.id
        if exports[id] != nil {
            exports[id]?.count += 1
            return
        }
        guard exports.count < maximum else {
            let text = "The other side may hold \(maximum) references, it holds \(exports.count)."
            throw BridgeError(.limitExceeded, text)
        }
        exports[id] = Export(target: target, count: 1)
    }

    /// What was given out under an id.
    package func target(_ id: String) -> (any ReferenceTarget)? { exports[id]?.target }

    /// Takes a number of givings-out back.
    ///
    /// - Returns: The target once it is held no longer, to be let go outside any lock; `nil` for an id that is not
    ///   known, which changes nothing.
    package mutating func release(_ id: String, count: UInt64 = 1) -> (any ReferenceTarget)? {
        guard let export = exports[id] else { return nil }
        guard count >= export.count else {
            exports[id]?.count -= count
            return nil
        }
        exports[id] = nil
        return export.target
    }

    /// Takes everything back: the other side is gone.
    ///
    /// - Returns: The targets, to be let go outside any lock.
    package mutating func removeAll() -> [any ReferenceTarget] {
        defer { exports = [:] }
        return exports.values.map(\.target)
    }
}
