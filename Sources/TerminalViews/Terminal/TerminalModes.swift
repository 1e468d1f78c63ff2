internal import CTerminal

/// The sequences that turn a terminal into a screen for a program, and back.
enum TerminalModes {
    /// The bytes that enter the screen.
    static let enter = bytes(CTerminal_enterBytes)

    /// The bytes that leave the screen, which may follow any part of a frame.
    static let leave = bytes(CTerminal_leaveBytes)

    private static func bytes(_ write: (UnsafeMutablePointer<CChar>?) -> Int) -> [UInt8] {
        var bytes = [CChar](repeating: 0, count: CTerminal_maximumBytes)
        let count = write(&bytes)
        return bytes[..<count].map { UInt8(bitPattern: $0) }
    }
}
