package import BridgeValues
internal import Foundation

/// Whether what a script does now is what it did when it was recorded.
extension JournalEntry {
    /// Whether this is what was recorded.
    ///
    /// - Parameters:
    ///   - recorded: What the journal has.
    ///   - isRedacted: Whether a mark stands in the place of secrets there, which any value matches.
    /// - Returns: Whether it is.
    package func matches(_ recorded: JournalEntry, isRedacted: Bool) -> Bool {
        switch (self, recorded) {
        case (.received(let new), .received(let old)): new.matches(old, isRedacted)
        case (.request(let name, let new), .request(let oldName, let old)):
            name.isSame(as: oldName) && new.matches(old, isRedacted)
        case (.evaluated(let new), .evaluated(let old)): new.matches(old, isRedacted)
        case (.malformed, .malformed): true
        // A replay may have another limit, and where exactly one hits nothing says.
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
    // Times that are left, and stacks, which name what the host has for sources, are told and not compared.
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

    /// Whether this is what a call of the data API was given.
    ///
    /// - Parameters:
    ///   - old: What the journal has.
    ///   - isRedacted: Whether a mark stands in the place of secrets there, which any value matches.
    /// - Returns: Whether it is.
    package func matches(argument old: Value, isRedacted: Bool) -> Bool {
        isFunction && old.isFunction || matches(old, isRedacted)
    }

    fileprivate func matches(_ old: Value, _ isRedacted: Bool) -> Bool {
        switch (self, old) {
        case (_, .string(SecretMembers.mark)) where isRedacted: true
        case (.string(let new), .string(let old)) where isRedacted && old.contains(SecretMembers.mark):
            new.isSame(as: old) || new.matchesJSON(old)
        // Bit for bit: a NaN is a NaN, and zeros have signs.
        case (.double(let new), .double(let old)): new.bitPattern == old.bitPattern || new.isNaN && old.isNaN
        // To the millisecond, as scripts have them; an invalid one is invalid.
        case (.date(let new), .date(let old)):
            Value.double((new.timeIntervalSince1970 * 1000).rounded())
                .matches(.double((old.timeIntervalSince1970 * 1000).rounded()), false)
        // A journal that was read has nothing in its place.
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

    /// Whether this stands for a function of the script, whatever its number: a replay learns that from the journal.
    fileprivate var isFunction: Bool { self["@"][0] == "script" }

    /// Whether this is the error of a script that was stopped, which tells the limit in words.
    fileprivate var isTermination: Bool { self["code"].stringValue == BridgeErrorCode.terminated.rawValue }

    /// An error's record without what says where it was thrown.
    fileprivate var withoutStacks: Value {
        guard case .object(var members) = self else { return self }
        members["stack"] = nil
        if let cause = members["cause"] { members["cause"] = cause.withoutStacks }
        return .object(members)
    }
}

extension String {
    fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Whether both are JSON and say the same, where a mark in the old one stands for any value.
    fileprivate func matchesJSON(_ old: String) -> Bool {
        guard SecretMembers.isObjectOrList(old),
            let new = try? JSONTextDecoder().decode(Value.self, from: self),
            let old = try? JSONTextDecoder().decode(Value.self, from: old)
        else { return false }
        return new.matches(old, true)
    }
}
