/// The earlier inputs of a prompt, and the position in them while the user looks through them.
struct PromptHistory: Hashable {
    /// The maximum number of entries; older ones are forgotten.
    static let maximumEntries = 1_000

    /// The inputs, the oldest first.
    private(set) var entries: [String]
    /// The index of the entry that is shown; the number of entries for the input that is being typed.
    private(set) var index: Int
    // The text that was typed before the user began to look through the entries.
    private var draft = ""

    /// Creates a history of entries, the oldest first.
    init(_ entries: [String] = []) {
        self.entries = Array(entries.suffix(Self.maximumEntries))
        index = self.entries.count
    }

    /// Adds an input, unless it is blank or the same as the last one, and returns whether it was added.
    mutating func add(_ input: String) -> Bool {
        defer { index = entries.count }
        draft = ""
        guard !input.allSatisfy(\.isWhitespace), input != entries.last else { return false }
        entries.append(input)
        if entries.count > Self.maximumEntries { entries.removeFirst() }
        return true
    }

    /// Moves to the entry before the present one, and returns it; `nil` at the oldest one.
    mutating func previous(leaving text: String) -> String? {
        guard index > 0 else { return nil }
        if index == entries.count { draft = text }
        index -= 1
        return entries[index]
    }

    /// Moves to the entry after the present one, and returns it; `nil` at the input that is being typed.
    mutating func next() -> String? {
        guard index < entries.count else { return nil }
        index += 1
        return index == entries.count ? draft : entries[index]
    }

    /// Returns the index of the newest entry before an index that contains a string; `nil` if there is none.
    func match(for query: String, before end: Int) -> Int? {
        guard !query.isEmpty else { return nil }
        return entries.prefix(end).lastIndex { $0.contains(query) }
    }
}
