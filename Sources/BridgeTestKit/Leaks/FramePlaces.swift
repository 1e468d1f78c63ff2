#if canImport(Runtime)
    internal import Foundation
    internal import Runtime
    internal import Synchronization

    /// The places of stack frames in the source, each found once in a process.
    ///
    /// To find the line of a frame, the toolchain reads the line tables of the whole program: 0.1 s in a program of
    /// 250 MB. The first frames of a call stack decide, and most stacks share them. So each frame is symbolicated alone,
    /// and only if its place is needed.
    final class FramePlaces: Sendable {
        private let known = Mutex<[Backtrace.Address: String?]>([:])
        private let isSkipped: @Sendable (_ symbol: String) -> Bool
        private let describe: @Sendable (SymbolicatedBacktrace.Symbol) -> String?

        /// Creates an empty table.
        ///
        /// - Parameters:
        ///   - isSkipped: Returns whether a mangled symbol does not count.
        ///   - describe: Returns the place of a symbol with a line; `nil` if the place does not count.
        init(
            skipping isSkipped: @escaping @Sendable (_ symbol: String) -> Bool,
            describe: @escaping @Sendable (SymbolicatedBacktrace.Symbol) -> String?
        ) {
            self.isSkipped = isSkipped
            self.describe = describe
        }

        /// Returns the place of a frame of a backtrace; `nil` if the frame does not count.
        func place(of frame: Backtrace.Frame, in backtrace: Backtrace) -> String? {
            let address = frame.originalProgramCounter
            if let known = known.withLock({ $0[address] }) { return known }
            let found = backtrace.reduced(to: frame).flatMap { find($0, in: backtrace.images) }
            known.withLock { $0[address] = .some(found) }
            return found
        }

        private func find(_ frame: Backtrace, in images: ImageMap?) -> String? {
            // Names need no line tables.
            let named = frame.symbolicated(with: images, options: [])?.frames.first?.symbol
            guard let named, !isSkipped(named.rawName) else { return nil }
            // Several frames with inlined functions, the innermost first.
            return frame.symbolicated(with: images)?.frames.lazy.compactMap(\.symbol).compactMap(describe)
                .first
        }
    }

    extension Backtrace {
        /// Returns a backtrace with one frame; `nil` if the frame has no address.
        ///
        /// Decoding is the only public way to create a backtrace. The text has the toolchain's compact backtrace format:
        /// a word size (2 means 64 bits), the kind of the frame with the number of bytes less one, and the address.
        fileprivate func reduced(to frame: Frame) -> Backtrace? {
            let kind: UInt8
            let counter: Address
            switch frame {
            case .programCounter(let address): (kind, counter) = (0x10, address)
            case .returnAddress(let address): (kind, counter) = (0x20, address)
            case .asyncResumePoint(let address): (kind, counter) = (0x30, address)
            default: return nil
            }
            guard let address = UInt64(counter) else { return nil }
            let bytes = [2, kind | 7] + (0..<8).map { UInt8(truncatingIfNeeded: address >> (56 - 8 * $0)) }
            let text = Data(bytes).base64EncodedString().filter { $0 != "=" }
            let fields = ["architecture": architecture, "backtrace": text]
            return try? JSONDecoder().decode(Backtrace.self, from: JSONEncoder().encode(fields))
        }
    }
#endif
