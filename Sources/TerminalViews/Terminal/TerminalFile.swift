internal import Foundation

/// The terminal that controls the process, open by a descriptor of its own, which does not block.
///
/// A flag of descriptor 1 would be shared with the shell. The owner closes the descriptor.
struct TerminalFile {
    let descriptor: Int32
    /// The attributes that the terminal had.
    let saved: termios

    /// Opens the terminal.
    ///
    /// - Throws: ``TerminalError`` if the process has no terminal.
    init() throws(TerminalError) {
        descriptor = open("/dev/tty", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TerminalError("the process has no terminal: \(String(cString: strerror(errno)))")
        }
        var attributes = termios()
        guard tcgetattr(descriptor, &attributes) == 0 else {
            close(descriptor)
            throw TerminalError("the terminal has no attributes: \(String(cString: strerror(errno)))")
        }
        saved = attributes
    }

    /// The present size.
    var size: TerminalSize {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}

extension TerminalReadiness {
    /// Creates the events of the bytes that the signal handlers have written.
    init(signals bytes: [UInt8]) {
        self = []
        if bytes.contains(UInt8(ascii: "w")) { insert(.resized) }
        if bytes.contains(UInt8(ascii: "s")) { insert(.stopped) }
        if bytes.contains(UInt8(ascii: "c")) { insert(.continued) }
        if bytes.contains(UInt8(ascii: "e")) { insert(.ended) }
    }
}
