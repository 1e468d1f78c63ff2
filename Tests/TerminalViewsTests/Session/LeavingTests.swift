import CTerminal
import Foundation
import Testing

@testable import TerminalViews

@Suite("Leaving the screen")
struct LeavingTests {
    /// A terminal, and the pipe that a program and its guardian share.
    private final class Screen {
        let master: Int32
        let terminal: Int32
        let ends: [Int32]
        var attributes = termios()

        init() throws {
            // The C library's functions for this are not in Swift's module of it: TIOCSPTLCK, TIOCGPTN.
            master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var (isLocked, number): (Int32, Int32) = (0, 0)
            try #require(ioctl(master, 0x4004_5431, &isLocked) == 0)
            try #require(ioctl(master, 0x8004_5430, &number) == 0)
            terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_NONBLOCK)
            var ends: [Int32] = [0, 0]
            try #require(CTerminal_pipe(&ends) == 0 && tcgetattr(terminal, &attributes) == 0)
            self.ends = ends
        }

        deinit { for descriptor in [master, terminal] + ends { close(descriptor) } }

        var pipe: Int32 { ends[0] }

        func prepare() throws {
            try #require(CTerminal_prepare(ends[1], &attributes) == 0)
            var raw = attributes
            cfmakeraw(&raw)
            try #require(tcsetattr(terminal, TCSANOW, &raw) == 0)
        }

        /// Moves bytes as a program does that is killed afterwards.
        func move(_ count: Int) {
            var bytes = [UInt8](repeating: 0, count: count)
            #expect(Foundation.read(pipe, &bytes, count) == count)
            #expect(write(terminal, bytes, count) == count)
        }

        /// Writes a mark, and returns what the terminal has received before it.
        func received() -> [UInt8] {
            let mark = UInt8(ascii: "!")
            #expect(write(terminal, [mark], 1) == 1)
            return read(until: { $0.last == mark }).dropLast()
        }

        func read(until isEnd: ([UInt8]) -> Bool) -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            var bytes: [UInt8] = []
            while !isEnd(bytes) {
                let count = Foundation.read(master, &buffer, buffer.count)
                guard count > 0 else { return bytes }
                bytes += buffer[..<count]
            }
            return bytes
        }

        /// Writes until the terminal has taken nothing for a while.
        func fill() {
            var request = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
            // A terminal that has little room takes bytes, but is not reported as writable.
            repeat {
                while write(terminal, "x", 1) == 1 {}
            } while poll(&request, 1, 50) > 0
        }

        /// The attributes as bytes.
        var bytes: [UInt8] {
            var now = termios()
            tcgetattr(terminal, &now)
            return withUnsafeBytes(of: now) { Array($0) }
        }
    }

    @Test(
        "T2 a program that is killed after any byte of entering or leaving leaves nothing behind, and takes nothing"
    )
    func anyByte() throws {
        let (enter, leave) = (TerminalModes.enter.count, TerminalModes.leave.count)
        for count in 0...enter + leave {
            let screen = try Screen()
            let before = screen.bytes
            try screen.prepare()
            if count > 0 { screen.move(count) }
            // As the guardian, which knows the pipe only.
            #expect(CTerminal_leave(screen.pipe, screen.terminal, nil, 0) != 0, "\(count)")
            // The shell has a keyboard and a title of its own, which one pop too many would take.
            var emulator = ScreenEmulator(columns: 20, rows: 3)
            emulator.feed(Array("\u{1B}[>1u\u{1B}[22;0t$ earlier".utf8))
            let earlier = (emulator.cells, emulator.modes)
            emulator.feed(screen.received())
            // What follows is not swallowed by a sequence of which a part was written.
            emulator.feed(Array("!".utf8))
            #expect((emulator.keyboardDepth, emulator.titleDepth) == (1, 1), "\(count)")
            #expect(emulator.modes == earlier.1, "\(count)")
            #expect(emulator.lines == ["$ earlier!", "", ""], "\(count)")
            #expect(screen.bytes == before, "\(count)")
            // Nothing is left that could be written again.
            #expect(CTerminal_leave(screen.pipe, screen.terminal, nil, 0) != 0)
            #expect(screen.received().isEmpty)
        }
    }

    @Test(
        "T2 who leaves after another one continues where that one was stopped by a terminal that takes nothing"
    )
    func slowTerminal() throws {
        let screen = try Screen()
        try screen.prepare()
        #expect(CTerminal_enter(screen.pipe, screen.terminal, 0) == 0)
        #expect(screen.received() == TerminalModes.enter)
        screen.fill()
        #expect(CTerminal_leave(screen.pipe, screen.terminal, &screen.attributes, 1) == 0)
        var received: [UInt8] = []
        while CTerminal_leave(screen.pipe, screen.terminal, nil, 0) == 0 {
            let count = received.count
            received += screen.read { !$0.isEmpty }
            try #require(received.count > count)
        }
        received += screen.received()
        #expect(Array(received.suffix(TerminalModes.leave.count)) == TerminalModes.leave)
        #expect(received.count { $0 == UInt8(ascii: "u") } == 1)
    }

    @Test("T2 a terminal that splice does not know receives the same bytes")
    func copying() throws {
        let path = NSTemporaryDirectory() + "terminal-\(UUID().uuidString)"
        defer { unlink(path) }
        let file = open(path, O_RDWR | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        let screen = try Screen()
        try screen.prepare()
        #expect(CTerminal_enter(screen.pipe, file, 0) == 0)
        // A file has no attributes, so the end is not reached.
        #expect(CTerminal_leave(screen.pipe, file, &screen.attributes, 0) == 0)
        #expect(FileManager.default.contents(atPath: path) == Data(TerminalModes.enter + TerminalModes.leave))
    }
}
