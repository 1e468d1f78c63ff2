internal import BridgeJSON
package import BridgeValues
internal import Foundation

/// The comparison of a script's behavior in a replay with the recorded one.
extension JournalEntry {
    /// Returns whether the entry matches a recorded one.
    ///
    /// - Parameters:
    ///   - recorded: The recorded entry.
    ///   - isRedacted: Whether secrets are replaced by a mark in the journal, which matches any value.
    /// - Returns: Whether it matches.
    package func matches(_ recorded: JournalEntry, isRedacted: Bool) -> Bool {
        switch (self, recorded) {
        case (.received(let new), .received(let old)): new.matches(old, isRedacted)
        case (.request(let name, let new), .request(let oldName, let old)):
            name.isSame(as: oldName) && new.matches(old, isRedacted)
        case (.evaluated(let new), .evaluated(let old)): new.matches(old, isRedacted)
        case (.malformed, .malformed): true
        // A replay may have another limit, and the point at which a limit is reached is not deterministic.
        case (.terminated, .terminated): true
        case (.dataCall(let name, let new), .dataCall(let oldName, let old)):
            name.isSame(as: oldName) && new.count == old.count
                && zip(new, old).allSatisfy { $0.matches(argument: $1, isRedacted: isRedacted) }
        case (.dataResult(let new), .dataResult(let old)): new.matches(old, isRedacted)
        default: self == recorded
        }
    }
}

extension JournalOutcome {
    fileprivate func matches(_ old: JournalOutcome, _ isRedacted: Bool) -> Bool {
        switch (self, old) {
        case (.success(let new), .success(let old)): new.matches(old, isRedacted)
        case (.failure(let new), .failure(let old)):
            new.isTermination && old.isTermination || new.withoutStacks.matches(old.withoutStacks, isRedacted)
        default: false
        }
    }
}

extension JournalMessage {
    // Remaining times are not compared, and neither are stacks, which contain the host's source names.
    fileprivate func matches(_ old: JournalMessage, _ isRedacted: Bool) -> Bool {
        kind == old.kind && control == old.control && number == old.number
            && (handlerName ?? "").isSame(as: old.handlerName ?? "")
            && (handlerName == nil) == (old.handlerName == nil)
            && Value.match(id, old.id, false) && Value.match(stream, old.stream, false)
            && Value.match(payload, old.payload, isRedacted)
            && Value.match(error?.withoutStacks, old.error?.withoutStacks, isRedacted)
            && Set(accepts) == Set(old.accepts) && trace == old.trace
    }
}

extension Value {
    fileprivate static func match(_ new: Value?, _ old: Value?, _ isRedacted: Bool) -> Bool {
        switch (new, old) {
        case (nil, nil): true
        case (let new?, let old?): new.matches(old, isRedacted)
        default: false
        }
    }

    /// Returns whether the value matches a recorded argument of a call of the data API.
    ///
    /// - Parameters:
    ///   - old: The recorded argument.
    ///   - isRedacted: Whether secrets are replaced by a mark in the journal, which matches any value.
    /// - Returns: Whether it matches.
    package func matches(argument old: Value, isRedacted: Bool) -> Bool {
        isFunction && old.isFunction || matches(old, isRedacted)
    }

    fileprivate func matches(_ old: Value, _ isRedacted: Bool) -> Bool {
        switch (self, old) {
        case (_, .string(SecretMembers.mark)) where isRedacted: true
        case (.string(let new), .string(let old)) where isRedacted && old.contains(SecretMembers.mark):
            new.isSame(as: old) || new.matchesJSON(old)
        // Bit for bit: NaN matches NaN, and zeros have signs.
        case (.double(let new), .double(let old)): new.bitPattern == old.bitPattern || new.isNaN && old.isNaN
        // To the millisecond, the precision of scripts; an invalid date matches an invalid date.
        case (.date(let new), .date(let old)):
            Value.double((new.timeIntervalSince1970 * 1000).rounded())
                .matches(.double((old.timeIntervalSince1970 * 1000).rounded()), false)
        // A journal that was read has no references.
        case (.reference, .undefined), (.reference, .reference): true
        case (.array(let new), .array(let old)):
            new.count == old.count && zip(new, old).allSatisfy { $0.matches($1, isRedacted) }
        case (.object(let new), .object(let old)):
            new.count == old.count
                && zip(new.members, old.members).allSatisfy {
                    $0.key.isSame(as: $1.key) && $0.value.matches($1.value, isRedacted)
                }
        default: self == old
        }
    }

    /// A Boolean value that indicates whether this represents a function of the script, whatever its number: a replay
    /// takes the number from the journal.
    fileprivate var isFunction: Bool { self["@"][0] == "script" }

    /// A Boolean value that indicates whether this is the error of a terminated script, whose message names the limit.
    fileprivate var isTermination: Bool { self["code"].stringValue == BridgeErrorCode.terminated.rawValue }

    /// The record of an error without its stacks.
    fileprivate var withoutStacks: Value {
        guard case .object(var members) = self else { return self }
        members["stack"] = nil
        if let cause = members["cause"] { members["cause"] = cause.withoutStacks }
        return .object(members)
    }
}

extension String {
    fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Returns whether both are equal JSON, where a mark in the recorded one matches any value.
    fileprivate func matchesJSON(_ old: String) -> Bool {
        guard SecretMembers.isObjectOrList(old),
            let new = try? JSONTextDecoder().decode(Value.self, from: self),
            let old = try? JSONTextDecoder().decode(Value.self, from: old)
        else { return false }
        return new.matches(old, true)
    }
}
