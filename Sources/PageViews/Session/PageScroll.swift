/// The position of the viewport as the page has it, apart from what the view has moved by itself.
///
/// The page scrolls by itself and reports where it is. Meanwhile the view may have moved the content, which the page
/// learns by an update. An offset that the page reported before it has applied the update lacks that movement.
struct PageScroll {
    /// The offset of the page after all updates so far.
    var offset = 0.0
    /// The time at which the content is believed to rest, so that items are prefetched there; `nil` while it rests.
    var restTime: Duration?
    // The adjustments of updates that the page has not applied yet, as far as it has said.
    private var unseen: [(sequence: Int, adjustment: Double)] = []
    // The lengths of the content: the one that the page has, then those of updates that it has not applied yet.
    private var lengths: [(sequence: Int, length: Double)] = []
    // A page that never says what it has applied is believed to have applied everything.
    private var reportsSeen = false
    private static let maximumUnseen = 256

    /// Records that the page has applied an update and the ones before it.
    mutating func seen(_ sequence: Int) {
        reportsSeen = true
        unseen.removeAll { $0.sequence <= sequence }
        while lengths.count > 1, lengths[1].sequence <= sequence { lengths.removeFirst() }
    }

    /// The length of the content as the page has it, in which it knows its end.
    var length: Double? { reportsSeen ? lengths.first?.length : lengths.last?.length }

    /// Returns where the page is after all updates, if it was at an offset before those that it has not applied.
    mutating func scrolled(to reported: Double) -> Double {
        offset = (reportsSeen ? unseen : []).reduce(reported) { $0 + $1.adjustment }
        return offset
    }

    /// Records the adjustment of an update, and the length of its content.
    mutating func sent(_ sequence: Int, adjustment: Double, length: Double) {
        offset += adjustment
        if lengths.last?.length != length { lengths.append((sequence, length)) }
        if lengths.count > Self.maximumUnseen { lengths.removeFirst() }
        guard adjustment != 0 else { return }
        unseen.append((sequence, adjustment))
        if unseen.count > Self.maximumUnseen { unseen.removeFirst() }
    }
}
