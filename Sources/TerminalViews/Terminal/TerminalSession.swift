public import BridgeValues
internal import CollectionViews
internal import Foundation

/// A browser in a terminal: passes it the events, and writes its screens.
///
/// One frame waits at most. While the terminal does not take it, no other one is made, and the next one shows the
/// newest state.
public final class TerminalSession {
    private let browser: TerminalBrowser
    private let device: any TerminalDevice
    private let clock: any MonotonicClock
    private let colors: ColorCapability
    private let recording: TerminalRecording?
    private var parser = KeyParser()
    // Set until the terminal has answered, also if the first frame was drawn without the answer.
    private var probe: TerminalProbe?
    // Set when the terminal has taken all questions.
    private var hasAsked = false
    private var firstFrameTime = Duration.zero
    // The screen that the terminal shows when it has taken all output, or nil if that is unknown.
    private var shown: TerminalScreen?
    private var output: ArraySlice<UInt8> = []
    private var nextUpdate: Duration?
    private(set) var isFinished = false

    /// A Boolean value that indicates whether the terminal has not taken all output yet.
    var isWriting: Bool { !output.isEmpty }

    /// The number of frames that were made.
    private(set) var frameCount = 0

    init(
        _ browser: TerminalBrowser,
        device: any TerminalDevice,
        clock: any MonotonicClock,
        colors: ColorCapability,
        recording: TerminalRecording? = nil
    ) {
        self.browser = browser
        self.device = device
        self.clock = clock
        self.colors = colors
        self.recording = recording
    }

    /// Browses in the terminal of the process, until the user quits or the terminal is gone.
    ///
    /// - Parameters:
    ///   - browser: The browser.
    ///   - waking: The way by which the content wakes the loop when answers of other threads have arrived.
    ///   - options: The colors, the recording, and the arguments of the guardian.
    /// - Throws: ``TerminalError`` if the process has no terminal; ``RecordingError`` if the recording cannot be
    ///   written.
    public static func run(
        _ browser: TerminalBrowser,
        waking: TerminalWaking,
        options: TerminalOptions
    ) throws {
        let recording = try options.recordingPath.map { try TerminalRecording(path: $0) }
        let terminal = try ControllingTerminal(
            waking: waking,
            clock: options.clock,
            guardianArguments: options.guardianArguments
        )
        options.willEnter { terminal.leave() }
        let session = TerminalSession(
            browser,
            device: terminal,
            clock: options.clock,
            colors: options.colors,
            recording: recording
        )
        do {
            // Also after an error.
            defer {
                session.awaitAnswer()
                terminal.leave()
            }
            try options.perform { try session.begin() }
            while !session.isFinished {
                let readiness = session.wait()
                try options.perform { try session.turn(readiness) }
            }
        }
        try recording?.close()
    }

    /// The maximum number of bytes of a turn.
    private static let maximumRead = 1 << 16

    /// Waits for an answer that the terminal still owes, which the shell would otherwise take for keys.
    ///
    /// The wait is at most ``TerminalProbe/timeLimit``. Bytes are read one by one, so that what was typed after the
    /// answer is left to the shell.
    func awaitAnswer() {
        // Without the last question, no answer ends the wait.
        guard probe != nil, hasAsked else { return }
        let end = clock.now + TerminalProbe.timeLimit
        while probe != nil {
            guard let bytes = device.read(maximum: 1) else { return }
            for case .reply(let reply) in parser.feed(bytes, at: clock.now) where probe?.receive(reply) != nil
            {
                probe = nil
            }
            guard probe != nil, clock.now < end else { return }
            guard bytes.isEmpty else { continue }
            _ = device.wait(until: end, forOutput: false)
        }
    }

    // MARK: - Turns

    /// Enters the screen, and asks the terminal.
    func begin() throws {
        try enter()
        try turn([])
    }

    private func enter() throws {
        try device.enter()
        browser.setSize(device.size)
        recording?.begin(size: device.size, at: clock.now)
        shown = nil
        output = TerminalProbe.questions[...]
        probe = TerminalProbe()
        hasAsked = false
        // The begin of a sequence or of a paste from before has no end any more.
        parser = KeyParser()
        parser.expectsCursorReport = true
        firstFrameTime = clock.now + TerminalProbe.timeLimit
    }

    /// Waits until there is something to do.
    func wait() -> TerminalReadiness {
        let times = [
            parser.deadline, nextUpdate, probe == nil || clock.now >= firstFrameTime ? nil : firstFrameTime,
        ]
        return device.wait(until: times.compactMap { $0 }.min(), forOutput: !output.isEmpty)
    }

    /// Handles what has happened, and draws a frame if the terminal has taken the one before.
    func turn(_ readiness: TerminalReadiness) throws {
        if readiness.contains(.ended) {
            isFinished = true
            return
        }
        if readiness.contains(.stopped) { try suspend() }
        if readiness.contains(.continued) {
            // It was stopped without a chance to leave the screen, and the shell may have used the terminal.
            device.waitForForeground()
            device.leave()
            try enter()
        }
        resize()
        guard let bytes = device.read(maximum: Self.maximumRead) else {
            isFinished = true
            return
        }
        for event in parser.feed(bytes, at: clock.now) + parser.expire(at: clock.now) { handle(event) }
        try fulfilRequests()
        nextUpdate = browser.update(at: clock.now)
        // What waits goes first: a frame is drawn only when the terminal has taken all of it.
        flush()
        draw()
        flush()
    }

    private func resize() {
        guard device.size != browser.size else { return }
        browser.setSize(device.size)
        recording?.resize(device.size, at: clock.now)
        shown = nil
    }

    private func handle(_ event: TerminalEvent) {
        guard case .reply(let reply) = event else { return browser.handle(event) }
        guard let widths = probe?.receive(reply) else { return }
        probe = nil
        parser.expectsCursorReport = false
        guard widths != browser.text.widths else { return }
        browser.text.widths = widths
        browser.text.removeAll()
        browser.layOut()
        shown = nil
    }

    private func fulfilRequests() throws {
        let requests = browser.requests
        browser.requests = []
        for request in requests {
            switch request {
            case .quit: isFinished = true
            case .suspend: try suspend()
            case .repaint: shown = nil
            case .copy(let string):
                let encoded = Data(string.utf8).base64EncodedString()
                output += Array("\u{1B}]52;c;\(encoded)\u{1B}\\".utf8)
            }
        }
    }

    private func suspend() throws {
        awaitAnswer()
        device.leave()
        device.stop()
        try enter()
    }

    // MARK: - Output

    private func draw() {
        guard !isFinished, output.isEmpty, probe == nil || clock.now >= firstFrameTime else { return }
        if browser.text.isFull {
            browser.text.removeAll()
            shown = nil
        }
        let screen = browser.makeScreen()
        let bytes = ScreenUpdate.bytes(from: shown, to: screen, text: browser.text, colors: colors)
        shown = screen
        guard !bytes.isEmpty else { return }
        frameCount += 1
        recording?.write(bytes, at: clock.now)
        output = bytes[...]
    }

    private func flush() {
        guard !output.isEmpty else { return }
        guard let count = device.write(output) else {
            isFinished = true
            return
        }
        output = output.dropFirst(count)
        if output.isEmpty { hasAsked = true }
    }
}

/// The settings of a session in a terminal.
public struct TerminalOptions {
    /// The colors.
    public var colors: ColorCapability
    /// The arguments by which the program, started again, calls ``TerminalGuardian/run()``.
    public var guardianArguments: [String]
    /// The path of a file to record the session to, in version 2 of the format of asciinema; `nil` for none.
    public var recordingPath: String?
    /// The clock.
    public var clock: any MonotonicClock = SystemClock()
    /// A closure that runs each step of the session on the isolation of the view; by default on the calling thread.
    ///
    /// A program whose view belongs to a script opens a turn of the script's engine here. The session waits for keys
    /// outside of it.
    public var perform: (_ step: () throws -> Void) throws -> Void = { try $0() }
    /// A closure that is called before the screen is entered, with a closure that leaves it from any thread.
    ///
    /// A program that ends itself on a signal calls the latter first.
    public var willEnter: (@escaping @Sendable () -> Void) -> Void = { _ in }

    /// Creates settings.
    public init(colors: ColorCapability, guardianArguments: [String]) {
        self.colors = colors
        self.guardianArguments = guardianArguments
    }
}
