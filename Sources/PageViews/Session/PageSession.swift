public import BridgeValues
public import CollectionViews
internal import DataSources
internal import Foundation

/// The session of one page: it owns a view whose unit is the CSS pixel, applies the inputs of the page, and makes
/// updates of what has changed.
///
/// A session is used on the isolation of its view. An update is made from the newest state when the page asks for one,
/// so that a hidden or slow page costs nothing.
public final class PageSession {
    /// The longest side of a page's viewport, in pixels.
    public static let maximumSide = 16_384.0

    /// The rows.
    public let view: CollectionView
    /// The parts beside the rows.
    public let content: any PageContent
    /// A closure that is called when ``makeUpdate()`` may have something; it schedules a call on the isolation.
    public var updateHandler: (() -> Void)?

    /// The state of the page, as far as updates have led it there.
    var sent = SentState()
    /// The positions that the page and the view have in common.
    var scroll = PageScroll()
    var announcer: PageAnnouncer
    /// The interactions by keys and pointers that are in progress.
    var interaction: PageInteraction
    /// A sentence about the last action, which the next update has.
    var message: String?
    /// The saved state that waits until its rows are there.
    package var pendingState: ViewState?
    /// A Boolean value that indicates whether a saved state could not be used.
    package var hasRefusedState = false
    /// A closure that is called with each state that the page saves.
    var stateSaved: ((ViewState) -> Void)?
    /// A Boolean value that indicates whether anything beside the rows may have changed.
    var isInfoStale = true
    /// A Boolean value that indicates whether the rows may have changed since the last frame.
    var isFrameStale = true
    /// The error of the last frame, and the time at which the next one is tried; `nil` if it was made.
    var failure: (message: String, retryTime: Duration)?
    /// The index titles of the view's own data source.
    var sectionTitles = SectionTitleCache()
    /// The numbers of rows of the last version that was asked for.
    var numbers: RowNumbers?
    let clock: any MonotonicClock

    /// Creates the session of a page.
    ///
    /// - Parameters:
    ///   - view: The view, of which the session owns frame, offset and focus.
    ///   - content: The parts beside the rows.
    ///   - clock: The clock of announcements and typed letters.
    public convenience init(
        view: CollectionView,
        content: any PageContent,
        clock: any MonotonicClock = SystemClock()
    ) {
        self.init(view: view, content: content, clock: clock, drags: PageDrags())
    }

    /// Creates the session of a page of a host, whose pages have their drags in common.
    init(view: CollectionView, content: any PageContent, clock: any MonotonicClock, drags: PageDrags) {
        self.view = view
        self.content = content
        self.clock = clock
        interaction = PageInteraction(PageDragAndDrop(view, drags))
        announcer = PageAnnouncer(view.counters)
        view.keepsFocusedCell = true
        view.frameRequestHandler = { [weak self] in
            self?.isFrameStale = true
            self?.updateHandler?()
        }
        content.changeHandler = { [weak self] in self?.contentChanged() }
    }

    deinit { end() }

    /// Ends the session: the view no longer notifies it, and movements and drags in progress are cancelled.
    public func end() {
        view.frameRequestHandler = nil
        content.changeHandler = nil
        updateHandler = nil
        interaction.drags.end()
        if view.interactivelyMovingIndexPath != nil { view.cancelInteractiveMovement() }
        view.cancelPress()
    }

    /// The row numbers of the present version of the view.
    var rows: RowNumbers {
        if let numbers, numbers.version == view.version { return numbers }
        let made = RowNumbers(view)
        numbers = made
        return made
    }

    func contentChanged() {
        isInfoStale = true
        if let text = content.takeMessage() { message = text }
        // Cells may have other content without a request of the view.
        isFrameStale = true
        if interaction.wantsLast { focusLast() }
        if interaction.wantsMatch { showMatch() }
        restorePendingState()
        updateHandler?()
    }

    /// Applies what has arrived from other threads or is due, and returns the time of the next call; `nil` for none.
    public func update(at now: Duration) -> Duration? {
        let contentTime = content.update(at: now)
        if let time = scroll.restTime, time <= now {
            scroll.restTime = nil
            // A pass that is not needed asks for the items where the content rests.
            try? view.layoutIfNeeded()
        }
        if let failure, failure.retryTime <= now {
            isFrameStale = true
            self.failure?.retryTime = now + .seconds(1)
        }
        endMovementIfForgotten(at: now)
        interaction.drags.update(at: now)
        return [
            movementEnd, interaction.drags.deadline, contentTime, scroll.restTime, failure?.retryTime,
            announcer.due.flatMap { $0 > now ? $0 : nil },
        ]
        .compactMap { $0 }.min()
    }

    // MARK: - Inputs

    /// Applies inputs in their order; one that cannot be used leaves a message, and the others are applied.
    func apply(_ inputs: [PageInput]) {
        sent.reference = sent.seen
        defer { sent.reference = nil }
        interaction.movementTime = clock.now
        for input in inputs {
            do {
                try apply(input)
            } catch {
                message = "\(error)"
            }
        }
        isInfoStale = true
        updateHandler?()
    }

    private func apply(_ input: PageInput) throws {
        if input.isOfUser { pendingState = nil }
        switch input {
        case .seen(let sequence):
            sent.seen = sequence
            sent.reference = sequence
            scroll.seen(sequence)
        case .scroll(let offset, let velocity): scrollByUser(to: offset, velocity)
        case .resize(let width, let height): try resize(width, height)
        case .measure(let lengths): try measure(lengths)
        case .key(let key): try press(key)
        case .click(let number, let modifiers, let count, let part):
            try click(number, modifiers, count: count, part)
        case .focus(let number): try focusByUser(try path(ofView: number))
        case .type(let letters): try type(letters)
        case .jump(let section): try jump(to: section)
        case .filter(let text): content.filter = text
        case .search(let text): search(text)
        case .sort(let column):
            guard content.sort(byColumn: column) else {
                throw PageInputError("column \(column) cannot be sorted")
            }
        case .group(let column):
            guard content.group(byColumn: column) else {
                throw PageInputError("the rows cannot be grouped by column \(column)")
            }
        case .nextMatch(let forward): try focusMatch(forward: forward)
        case .fold(let number, let isFolded): try fold(try element(ofView: number), isFolded)
        case .drag(let phase, let number, let x, let y): try drag(phase, number, Point(x: x, y: y))
        case .dragOver(let offer, let x, let y): try dragOver(offer, Point(x: x, y: y))
        case .dragLeave: interaction.drags.target.leave()
        case .dragEnd(let name, let effect): interaction.drags.source.end(name, effect, at: clock.now)
        case .hidden(let isHidden): interaction.isHidden = isHidden
        case .move(let step): try moveFocusedRow(by: step)
        case .select(let selection): try select(selection)
        }
    }
}

extension PageInput {
    /// A Boolean value that indicates whether the user did it, so that a saved position is no longer wanted.
    fileprivate var isOfUser: Bool {
        switch self {
        case .seen, .resize, .measure, .hidden: false
        default: true
        }
    }
}
