internal import BridgeJSON
public import BridgeValues
internal import Foundation

/// A recording of all that crossed between a bridge and its scripts, from the first context on: it suffices to run the
/// scripts again without the program.
///
/// ```swift
/// let journal = try Journal(contentsOfFile: "session.journal")
/// print(journal.entries.count, journal.tear ?? "whole")
/// ```
///
/// A journal is text: a ``JournalHeader`` on the first line, then a ``JournalEntry`` on each line, as JSON. Each line
/// is written when it happens, so that the journal of a process that crashed is valid too. If its last line was cut, it
/// is read up to there (``tear``). A journal that was cut between two lines has no end (``isEnded``).
public struct Journal: Sendable, Hashable {
    /// The configuration of the bridge.
    public var header: JournalHeader
    /// The entries, in order.
    public var entries: [JournalEntry]
    /// The error of the last line, if it was cut; `nil` for a complete journal.
    public private(set) var tear: String?

    /// A Boolean value that indicates whether the journal has an end: its bridge was closed and no turn was open after
    /// that, or it was full.
    ///
    /// A journal without an end stops where its process did, or has lost lines; nothing else shows that.
    public var isEnded: Bool {
        switch entries.last {
        case .closed, .full: true
        default: false
        }
    }

    /// The maximum size of a file.
    public static let maximumBytes = 1 << 30

    /// Creates a journal from its parts.
    public init(header: JournalHeader, entries: [JournalEntry]) {
        self.header = header
        self.entries = entries
    }

    /// Reads a journal.
    ///
    /// - Throws: ``BridgeError`` with `invalidMessage` and the number of the line, for text that is not a journal;
    ///   `unsupported` for another version; `limitExceeded` for a line that nests too deep.
    public init(_ text: String) throws(BridgeError) {
        try self.init(utf8: Array(text.utf8))
    }

    /// Reads a journal from a file.
    ///
    /// - Throws: The errors of ``init(_:)``, and `invalidArgument` for a file that cannot be read.
    public init(contentsOfFile path: String) throws(BridgeError) {
        let data: Data
        do throws(FileReading.Problem) {
            data = try FileReading.bytes(of: path)
        } catch {
            throw BridgeError(.invalidArgument, "\(path): \(error.reason)")
        }
        guard data.count <= Self.maximumBytes else {
            throw BridgeError(
                .limitExceeded,
                "\(path): a journal may have \(Self.maximumBytes) bytes, this one has \(data.count)"
            )
        }
        try self.init(utf8: Array(data))
    }

    /// Reads a journal from bytes.
    ///
    /// - Throws: The errors of ``init(_:)``.
    public init(utf8 bytes: [UInt8]) throws(BridgeError) {
        // Editors of other systems may write a byte order mark.
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let lines = bytes.dropFirst(mark).split(separator: 0x0A, omittingEmptySubsequences: true)
        let isCut = bytes.last != 0x0A
        guard let first = lines.first else { throw BridgeError(.invalidMessage, "The journal is empty.") }
        do throws(BridgeError) {
            header = try JournalHeader(try Self.value(of: first))
        } catch {
            throw error.at(line: 1)
        }
        entries = []
        entries.reserveCapacity(lines.count - 1)
        for (index, line) in lines.enumerated().dropFirst() {
            do throws(BridgeError) {
                entries.append(try JournalEntry(try Self.value(of: line)))
            } catch {
                guard isCut, index == lines.count - 1 else { throw error.at(line: index + 1) }
                tear = error.at(line: index + 1).message
            }
        }
    }

    /// The journal as text.
    public var text: String {
        entries.reduce(into: Self.line(header)) { $0 += Self.line($1) }
    }

    // A payload may use the full depth within the members around it.
    static let lineLimits = {
        var limits = BridgeLimits()
        limits.maximumDepth += 16
        return limits
    }()
    private static let decoder = JSONTextDecoder(limits: lineLimits)

    private static func value(of line: ArraySlice<UInt8>) throws(BridgeError) -> Value {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw BridgeError(.invalidMessage, "The line is not UTF-8 text.")
        }
        do {
            return try decoder.decode(Value.self, from: text)
        } catch let error as BridgeError {
            throw error.code == .limitExceeded ? error : BridgeError(.invalidMessage, error.message)
        } catch {
            throw BridgeError(.invalidMessage, "The line is not JSON.")
        }
    }

    package static func line(_ header: JournalHeader) -> String { JSONLine.text(header.members) + "\n" }
    package static func line(_ entry: JournalEntry) -> String { entry.description + "\n" }
}

extension BridgeError {
    fileprivate func at(line: Int) -> BridgeError {
        BridgeError(code, "Line \(line) of the journal: \(message)")
    }
}
