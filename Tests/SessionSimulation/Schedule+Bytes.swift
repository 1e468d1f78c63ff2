extension Schedule {
    /// Creates a schedule from arbitrary bytes of a fuzzer: two for the settings, then three for each event.
    ///
    /// Remaining bytes at the end are ignored, and so are events after the 300th.
    public init(bytes: some Collection<UInt8>) {
        var rest = bytes[...]
        let (first, second) = (Int(rest.popFirst() ?? 0), rest.popFirst() ?? 0)
        var settings = SessionSettings()
        settings.form = SessionSettings.Form.allCases[first % 3]
        settings.peerIsExtended = first & 0x80 != 0
        settings.maximumPendingCalls = [12, 4, 40][first / 4 % 3]
        settings.maximumQueuedMessages = [10, 3, 60][first / 16 % 3]
        settings.seed = UInt64(second)
        // Both contexts exist, because few events apply to an empty world.
        var events = [ScheduleEvent(.arrive), ScheduleEvent(.ready), ScheduleEvent(.arrive, end: 2)]
        while events.count < 300, let kind = rest.popFirst(), let end = rest.popFirst(),
            let low = rest.popFirst()
        {
            let kinds = ScheduleEvent.Kind.allCases
            events.append(
                ScheduleEvent(
                    kinds[Int(kind & 0x7F) % kinds.count],
                    end: end & 3,
                    choice: UInt16(end >> 2) << 8 | UInt16(low),
                    isNested: kind & 0x80 != 0
                )
            )
        }
        self.init(settings: settings, events: events)
    }
}
