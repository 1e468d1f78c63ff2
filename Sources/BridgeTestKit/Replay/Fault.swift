internal import BridgeValues

/// A fault of one message on its way.
///
/// ```swift
/// let fault = Fault("drop@12")     // the 12th message, of both ways together, is lost
/// ```
public struct Fault: Sendable, Hashable {
    /// A kind of fault.
    public enum Kind: Sendable, Hashable {
        /// The message is lost.
        case drop
        /// The message arrives after a number of other messages.
        case delay(Int)
        /// The message arrives twice.
        case duplicate
        /// The message arrives after the next one.
        case reorder
        /// The message arrives with another payload than it was sent with.
        case corrupt
        /// The context is replaced before the message, which is lost with it, and its scripts run again.
        case reload
    }

    /// The kind of the fault.
    public var kind: Kind
    /// The number of the message, from 1 over both directions.
    public var message: Int

    /// Creates a fault.
    public init(_ kind: Kind, at message: Int) {
        self.kind = kind
        self.message = message
    }

    /// Parses a fault: `drop@12`, `delay@12:3` (after three others; one by default), `duplicate@12`, `reorder@12`,
    /// `corrupt@12`, `reload@12`.
    public init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let numbers = parts[1].split(separator: ":", omittingEmptySubsequences: false)
        guard let message = numbers.first.flatMap({ Int($0) }), message > 0, numbers.count <= 2 else {
            return nil
        }
        let count = numbers.count == 2 ? Int(numbers[1]) : 1
        guard let count, count > 0, numbers.count == 1 || parts[0] == "delay" else { return nil }
        switch parts[0] {
        case "drop": kind = .drop
        case "delay": kind = .delay(count)
        case "duplicate": kind = .duplicate
        case "reorder": kind = .reorder
        case "corrupt": kind = .corrupt
        case "reload": kind = .reload
        default: return nil
        }
        self.message = message
    }

    /// Returns random faults, for about one message in ten.
    ///
    /// - Parameters:
    ///   - seed: The seed, which gives the same faults in every process.
    ///   - count: The number of the last message that may have a fault.
    /// - Returns: The faults, in the order of their messages.
    public static func random(seed: UInt64, upTo count: Int) -> [Fault] {
        var generator = SplitMix64(seed: seed)
        return (0..<max(0, count)).compactMap { index in
            let word = generator.next()
            guard word % 10 == 0 else { return nil }
            let kinds: [Kind] = [
                .drop, .delay(1 + Int(word >> 32 & 3)), .duplicate, .reorder, .corrupt, .reload,
            ]
            // Reloads are rarer, as each ends much work.
            let kind = kinds[Int(word >> 8 & 0xFF) % 31 / 6]
            return Fault(kind, at: index + 1)
        }
    }
}

extension Fault: CustomStringConvertible {
    /// The fault in the form that can be parsed.
    public var description: String {
        switch kind {
        case .drop: "drop@\(message)"
        case .delay(let count): "delay@\(message):\(count)"
        case .duplicate: "duplicate@\(message)"
        case .reorder: "reorder@\(message)"
        case .corrupt: "corrupt@\(message)"
        case .reload: "reload@\(message)"
        }
    }
}

extension Value {
    /// Returns a different value, always the same one for a number.
    func corrupted(by number: Int) -> Value {
        switch self {
        case .object(var object):
            guard let member = object.members.isEmpty ? nil : object.members[number % object.members.count]
            else {
                return .null
            }
            object[member.key] = number % 2 == 0 ? nil : member.value.corrupted(by: number)
            return .object(object)
        case .array(let elements):
            return .array((elements.last == .null ? elements : elements.dropLast()) + [.null])
        case .string(let text):
            return number % 2 == 0 ? .integer(Int64(number)) : .string(String(text.reversed()) + "\u{FFFD}")
        case .integer(let integer): return .string("\(integer)")
        case .bool(let flag): return .bool(!flag)
        default: return ["corrupted": .integer(Int64(number))]
        }
    }
}
