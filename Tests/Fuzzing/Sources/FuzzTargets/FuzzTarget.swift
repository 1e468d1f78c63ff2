internal import SessionSimulation

/// A fuzzing target, which accepts any bytes.
///
/// A run ends the process with a message if a rule is broken. The fuzzer runs targets on generated inputs, the tests of
/// the package on inputs that were found.
public enum FuzzTarget: String, Sendable, CaseIterable {
    /// The decoder of messages: any text in any dialect (R1, R2).
    case decoder
    /// A whole bridge whose page sends any text (R1, R2, R3).
    case dispatch
    /// The events of a session: calls, messages, their fate, the life of contexts (R3-R6, R22).
    case session
    /// The JSON codec: any text as a value and as types (R1, R8, R9).
    case json
    /// The differ: any two states of sections.
    case differ
    /// The decoder of journals: any bytes, with a header or after one.
    case journal
    /// A mistake behind seven particular bytes, which only a search that is guided by coverage finds.
    case planted

    /// Runs the target on an input.
    public func run(_ bytes: [UInt8]) {
        if let problem = problem(bytes) { fatalError("\(rawValue): \(problem)") }
    }

    /// Runs the target on an input; returns the broken rule, if any.
    public func problem(_ bytes: [UInt8]) -> String? {
        switch self {
        case .decoder:
            WireProbe.contradiction(in: units(bytes.dropFirst()), dialect: Int(bytes.first ?? 0) >> 1)
        case .dispatch: DispatchFuzz.problem(units(bytes[...]))
        case .session:
            ScheduleExplorer().run(Schedule(bytes: bytes))
        case .json: JSONFuzz.problem(units(bytes.dropFirst()), form: bytes.first ?? 0)
        case .differ: DifferFuzz.problem(bytes)
        case .journal: JournalFuzz.problem(bytes)
        case .planted: PlantedFuzz.problem(bytes)
        }
    }

    /// Returns the code units of UTF-8, or of UTF-16 after a byte that is not valid in UTF-8, so that lone surrogates
    /// occur.
    private func units(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
        guard bytes.first == 0xFF else { return Array(String(decoding: bytes, as: UTF8.self).utf16) }
        var units: [UInt16] = []
        var rest = bytes.dropFirst()
        while let low = rest.popFirst() { units.append(UInt16(low) | UInt16(rest.popFirst() ?? 0) << 8) }
        return units
    }
}
