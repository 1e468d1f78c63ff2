/// A parser of the bytes that a terminal sends: keys, mouse, paste and answers.
///
/// It is a value without a clock. Any bytes are accepted, in parts that end anywhere: unknown sequences are
/// skipped. An escape byte alone is the Escape key if nothing follows within ``escapeTime``.
struct KeyParser {
    /// The time after which an escape byte alone is a key.
    static let escapeTime = Duration.milliseconds(25)
    /// The time after which the begin of a longer sequence is discarded.
    static let sequenceTime = Duration.milliseconds(500)
    /// The time of silence after which a paste without its end is over.
    static let pasteTime = Duration.seconds(2)
    /// The maximum number of bytes of a sequence; longer ones are skipped.
    static let maximumSequence = 4_096

    /// A Boolean value that indicates whether a cursor report is expected.
    ///
    /// Shift-F3 has the same form.
    var expectsCursorReport = false
    /// The time at which ``expire(at:)`` has an effect, or `nil` if nothing is pending.
    private(set) var deadline: Duration?

    private var pending: [UInt8] = []
    private var paste: [UInt8]?
    // Inside of a sequence that is skipped because it is too long.
    private var isSkipping = false

    /// Returns the events of bytes that arrived at a time.
    mutating func feed(_ bytes: some Sequence<UInt8>, at now: Duration) -> [TerminalEvent] {
        let pendingCount = pending.count
        pending.append(contentsOf: bytes)
        // The time of what is pending is that of its last byte.
        guard pending.count > pendingCount else { return [] }
        var events: [TerminalEvent] = []
        var index = 0
        while index < pending.count {
            let step = next(from: index)
            if let event = step.event { events.append(event) }
            guard step.length > 0 else { break }
            index += step.length
        }
        pending.removeFirst(index)
        deadline = limit.map { now + $0 }
        return events
    }

    /// The time after which what is pending ends; `nil` if nothing is.
    private var limit: Duration? {
        if paste != nil { return Self.pasteTime }
        guard let first = pending.first else { return nil }
        return first == 0x1B && pending.count <= 2 ? Self.escapeTime : Self.sequenceTime
    }

    /// Returns the events of bytes that nothing has followed in time.
    mutating func expire(at now: Duration) -> [TerminalEvent] {
        guard let time = deadline, now >= time else { return [] }
        deadline = nil
        let bytes = pending
        pending = []
        if paste != nil {
            // The end of the paste was lost.
            paste = nil
            return []
        }
        guard bytes.first == 0x1B else { return [] }
        switch bytes.count {
        case 1: return [.key(KeyPress(.escape))]
        case 2 where bytes[1] == 0x1B: return [.key(KeyPress(.escape)), .key(KeyPress(.escape))]
        case 2: return [.key(KeyPress(.character(Character(Unicode.Scalar(bytes[1]))), .alt))]
        default: return []
        }
    }

    // MARK: - Steps

    /// The length of a part of the pending bytes, 0 if it is incomplete, and its event.
    typealias Step = (length: Int, event: TerminalEvent?)

    private mutating func next(from index: Int) -> Step {
        if paste != nil { return pastePart(from: index) }
        if isSkipping { return skip(from: index) }
        let byte = pending[index]
        guard byte == 0x1B else { return character(from: index, modifiers: []) }
        guard index + 1 < pending.count else { return (0, nil) }
        switch pending[index + 1] {
        case UInt8(ascii: "["): return controlSequence(from: index)
        case UInt8(ascii: "O"): return singleShift(from: index)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            return string(from: index)
        case 0x1B:
            // Two escape bytes: the first is a key.
            return (1, .key(KeyPress(.escape)))
        default:
            let step = character(from: index + 1, modifiers: .alt)
            return step.length == 0 ? step : (step.length + 1, step.event)
        }
    }

    private func character(from index: Int, modifiers: KeyPress.Modifiers) -> Step {
        let byte = pending[index]
        if byte < 0x80 { return (1, KeyCodes.key(ofByte: byte, modifiers).map { .key($0) }) }
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1
        let end = min(index + length, pending.count)
        let continuation = pending[index + 1..<max(index + 1, end)].prefix { $0 & 0xC0 == 0x80 }
        guard continuation.count == length - 1 || end == pending.count && continuation.endIndex == end else {
            return (1, nil)
        }
        guard continuation.count == length - 1 else { return (0, nil) }
        guard let string = String(validating: pending[index..<end], as: UTF8.self), let first = string.first
        else { return (1, nil) }
        return (length, .key(KeyPress(.character(first), modifiers)))
    }

    private func singleShift(from index: Int) -> Step {
        guard index + 2 < pending.count else { return (0, nil) }
        guard let key = KeyCodes.key(ofFinal: pending[index + 2], isSingleShift: true) else {
            return (2, nil)
        }
        return (3, .key(KeyPress(key)))
    }

    private mutating func controlSequence(from index: Int) -> Step {
        var end = index + 2
        // The Linux console sends function keys as CSI [ and a letter.
        if end < pending.count, pending[end] == UInt8(ascii: "[") {
            guard end + 1 < pending.count else { return (0, nil) }
            let number = Int(pending[end + 1]) - 0x40
            return (4, (1...5).contains(number) ? .key(KeyPress(.function(number))) : nil)
        }
        while end < pending.count, (0x20...0x3F).contains(pending[end]) { end += 1 }
        guard end - index <= Self.maximumSequence else {
            isSkipping = true
            return (2, nil)
        }
        guard end < pending.count else { return (0, nil) }
        // A byte that cannot be here ends the sequence, and is read again.
        guard (0x40...0x7E).contains(pending[end]) else { return (end - index, nil) }
        // A mouse event of the old form: three bytes follow, which are not keys.
        if pending[end] == UInt8(ascii: "M"), end == index + 2 {
            return (pending.count >= end + 4 ? end + 4 - index : 0, nil)
        }
        let sequence = ControlSequence(parameters: pending[index + 2..<end], final: pending[end])
        if sequence.isPasteStart { paste = [] }
        return (end + 1 - index, sequence.event(expectsCursorReport: expectsCursorReport))
    }

    /// Skips a string that a terminal sends, up to its terminator.
    private mutating func string(from index: Int) -> Step {
        var end = index + 2
        while end < pending.count {
            if pending[end] == 0x07 { return (end + 1 - index, nil) }
            if pending[end] == 0x1B {
                guard end + 1 < pending.count else { return (0, nil) }
                return (pending[end + 1] == UInt8(ascii: "\\") ? end + 2 - index : end - index, nil)
            }
            end += 1
        }
        guard end - index > Self.maximumSequence else { return (0, nil) }
        isSkipping = true
        return (end - index, nil)
    }

    private mutating func skip(from index: Int) -> Step {
        let byte = pending[index]
        if byte == 0x1B {
            isSkipping = false
            return next(from: index)
        }
        if byte == 0x07 || byte == 0x0D { isSkipping = false }
        return (1, nil)
    }

    // MARK: - Paste

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private mutating func pastePart(from index: Int) -> Step {
        let rest = pending[index...]
        var end = rest.startIndex
        var isAtEnd = false
        while end < rest.endIndex {
            if rest[end] == 0x1B {
                let found = rest[end...].prefix(Self.pasteEnd.count)
                isAtEnd = found.elementsEqual(Self.pasteEnd)
                // The terminator, or its first bytes at the end of what has arrived.
                if isAtEnd || found.endIndex == rest.endIndex && Self.pasteEnd.starts(with: found) { break }
            }
            end += 1
        }
        var bytes = paste ?? []
        bytes += rest[..<end]
        // The last character may be incomplete.
        let kept = isAtEnd ? 0 : Self.incompleteCharacter(bytes)
        paste = isAtEnd ? nil : Array(bytes.suffix(kept))
        let length = end - index + (isAtEnd ? Self.pasteEnd.count : 0)
        let string = String(decoding: bytes.dropLast(kept), as: UTF8.self)
        return (length, string.isEmpty ? nil : .paste(string))
    }

    private static func incompleteCharacter(_ bytes: [UInt8]) -> Int {
        for count in 1..<4 where count <= bytes.count {
            let byte = bytes[bytes.count - count]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > count ? count : 0
        }
        return 0
    }
}
