public import BridgeValues
public import CollectionViews
internal import Foundation
internal import Synchronization

/// A view with the parts beside its rows, as a page shows them.
public struct Page {
    /// The view, for one page only; views of the same data are made with `CollectionView(sharing:)`.
    public var view: CollectionView
    /// The parts beside the rows.
    public var content: any PageContent
    /// The state with which the page begins if it has none of its own from before a reload; `nil` for none.
    public var initialState: ViewState?
    /// A closure that is called on the executor with each state that the page saves.
    public var stateSaved: ((ViewState) -> Void)?

    /// Creates a page.
    public init(view: CollectionView, content: any PageContent) {
        self.view = view
        self.content = content
    }
}

/// The viewer of a page at the other end of a connection: its sessions, for callers on any thread.
///
/// At most one session is open at a time.
public final class PageViewer: Sendable {
    /// The maximum number of inputs that wait for the isolation of the view.
    public static let maximumWaitingInputs = 10_000
    /// The maximum number of lengths, and of 64 bytes of text, in the inputs that wait.
    static let maximumWaitingCost = 100_000

    let executor: PageExecutor
    private let drags: PageDrags
    private let clock: any MonotonicClock
    private let makePage: @Sendable () throws -> Page
    private let driver: IsolatedState<PageDriver>
    private let lastNumber = Atomic(0)
    private let inbox = Mutex(Inbox())

    private struct Inbox {
        var inputs: [PageInput] = []
        var cost = 0
    }

    /// Creates a connection.
    ///
    /// - Parameters:
    ///   - executor: The isolation of the view.
    ///   - clock: The clock of announcements and typed letters.
    ///   - makePage: Makes the view of the connection, on the executor, when the page opens it.
    public convenience init(
        executor: PageExecutor,
        clock: any MonotonicClock = SystemClock(),
        makePage: @escaping @Sendable () throws -> Page
    ) {
        self.init(executor: executor, clock: clock, drags: PageDrags(), makePage: makePage)
    }

    /// Creates the viewer of a host, whose pages have their drags in common.
    init(
        executor: PageExecutor,
        clock: any MonotonicClock,
        drags: PageDrags,
        makePage: @escaping @Sendable () throws -> Page
    ) {
        self.executor = executor
        self.drags = drags
        self.clock = clock
        self.makePage = makePage
        driver = IsolatedState(executor)
    }

    deinit { end() }

    /// The page's request to open the view.
    struct OpenRequest: Decodable, Sendable {
        let `protocol`: Int
        let width: Double
        let height: Double
        let state: String?
    }

    /// Opens a session, and ends the one before.
    ///
    /// - Returns: The updates, each made when it is asked for.
    /// - Throws: `BridgeError` for a page of another protocol; the error with which the page could not be made.
    func open(_ request: OpenRequest) async throws -> PageUpdates {
        guard request.protocol == 1 else {
            throw BridgeError(
                .unsupported,
                "The page speaks version \(request.protocol) of its protocol, and this program version 1: "
                    + "reload the page."
            )
        }
        let scheduleTurn: @Sendable () -> Void = { [weak self] in self?.driver.enqueue { $0?.turn() } }
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        try await driver.perform { [makePage, clock, drags] state in
            state?.end()
            state = nil
            let page = try makePage()
            let session = PageSession(view: page.view, content: page.content, clock: clock, drags: drags)
            session.apply([.resize(width: request.width, height: request.height)])
            session.stateSaved = page.stateSaved
            if let saved = request.state {
                session.restore(saved)
                // It was the tab's own copy, and not the program's.
                session.hasRefusedState = false
            } else if let state = page.initialState {
                _ = session.restore(state)
            }
            state = PageDriver(session, number: number, clock: clock, scheduleTurn: scheduleTurn)
        }
        return PageUpdates(viewer: self, session: number)
    }

    /// Ends the session: its updates end, and a movement in progress is cancelled.
    public func end() {
        driver.enqueue { state in
            state?.end()
            state = nil
        }
    }

    private func end(session number: Int) {
        driver.enqueue { state in
            guard state?.number == number else { return }
            state?.end()
            state = nil
        }
    }

    /// Returns the next update of a session, or `nil` when it has ended.
    func nextUpdate(of number: Int) async -> Value? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                driver.enqueue { state in
                    guard let state, state.number == number else {
                        return continuation.resume(returning: nil)
                    }
                    state.wait { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            end(session: number)
        }
    }

    // MARK: - Inputs

    /// Passes inputs on to the session, in the order of the calls.
    ///
    /// - Throws: `BridgeError` with a sentence about the first input that is none; the others are applied.
    func receive(_ inputs: Value) throws {
        guard case .array(let values) = inputs else {
            throw BridgeError(.invalidArgument, "The inputs of a page are an array.")
        }
        var read: [PageInput] = []
        var problem: PageInputError?
        for value in values {
            do {
                read.append(try PageInput(value))
            } catch {
                problem = problem ?? error
            }
        }
        let cost = read.reduce(0) { $0 + $1.cost }
        let (isFirst, isFull) = inbox.withLock { inbox -> (Bool, Bool) in
            guard inbox.inputs.count + read.count <= Self.maximumWaitingInputs,
                inbox.cost + cost <= Self.maximumWaitingCost
            else { return (false, true) }
            let isFirst = inbox.inputs.isEmpty && !read.isEmpty
            inbox.inputs += read
            inbox.cost += cost
            return (isFirst, false)
        }
        guard !isFull else {
            throw BridgeError(
                .overloaded,
                "Too many inputs wait for the view (limit \(Self.maximumWaitingInputs), and \(Self.maximumWaitingCost) "
                    + "lengths); these were dropped."
            )
        }
        if isFirst {
            driver.enqueue { [weak self] state in
                guard let inputs = self?.takeInputs(), let state else { return }
                state.session.apply(inputs)
            }
        }
        if let problem { throw BridgeError(.invalidArgument, problem.description) }
    }

    private func takeInputs() -> [PageInput] {
        inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox.inputs
        }
    }

    /// Asks the session.
    ///
    /// - Throws: The error of the body, as `BridgeError`; `disconnected` if no view is open.
    func ask<Result: Sendable>(
        _ body: @escaping @Sendable (PageSession) throws -> Result
    ) async throws -> Result {
        try await driver.perform { state in
            guard let state else { throw BridgeError(.disconnected, "The page has not opened the view.") }
            do {
                return try body(state.session)
            } catch let error as PageInputError {
                throw BridgeError(.invalidArgument, error.description)
            }
        }
    }
}

/// The updates of a session, each made from the newest state when it is asked for.
struct PageUpdates: AsyncSequence, Sendable {
    typealias Element = Value

    let viewer: PageViewer
    let session: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        let viewer: PageViewer
        let session: Int
        mutating func next() async -> Value? { await viewer.nextUpdate(of: session) }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(viewer: viewer, session: session) }
}
