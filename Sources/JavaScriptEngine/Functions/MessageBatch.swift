internal import BridgeValues
internal import CJavaScriptCore

/// Messages for the package's own script that are written one after another and handed over in one crossing.
///
/// It stays open between messages, whatever is done with the context meanwhile: another value that is written puts it
/// aside. For the thread of the open turn only.
package final class MessageBatch {
    /// As many cells as a batch takes before it must be handed over: 2 MiB.
    private static let maximumCells = 1 << 18
    /// As many bytes as the strings of a batch take before it must be handed over: 4 MiB.
    private static let maximumTextSize = 1 << 22

    // The context owns who owns this.
    private unowned(unsafe) let context: JSContext
    private let slab: SlabWriter
    @exclusivity(unchecked) private var isOpen = false
    /// Whether a message is being written, whose `encode(to:)` may do anything.
    @exclusivity(unchecked) private var isWriting = false
    /// How many messages wait.
    @exclusivity(unchecked) package private(set) var count = 0

    package init(in context: JSContext) {
        self.context = context
        slab = context.slabWriter
    }

    /// Adds a message.
    ///
    /// - Parameter body: Writes the message.
    /// - Returns: Whether it was added; it is not where another value is being written just now, or the batch is full.
    /// - Throws: What the body throws, `limitExceeded` for a message that is too large. The batch is as before then.
    @inline(__always)
    package func append(_ body: (MessageWriter) throws -> Void) throws -> Bool {
        if isOpen {
            guard !isWriting, slab.used < Self.maximumCells, slab.textSize < Self.maximumTextSize else {
                return false
            }
            slab.beginNext()
        } else {
            guard !slab.isOpen else { return false }
            begin()
        }
        let mark = slab.mark
        isWriting = true
        defer { isWriting = false }
        do {
            try body(MessageWriter(slab: slab, context: context))
        } catch {
            slab.rewind(to: mark)
            throw error
        }
        count += 1
        return true
    }

    private func begin() {
        slab.begin(of: context.virtualMachine)
        isOpen = true
    }

    /// Hands the messages to a function of the package's own script, which takes the text and how many there are.
    ///
    /// A turn must be open. Nothing is called where there are none, or one is being written just now.
    ///
    /// - Returns: Whether something of the last message may wait for a promise.
    /// - Throws: ``JSException`` where the turn was stopped: the function has what it was given.
    package func deliver(to handle: JSHandle) throws -> Bool {
        guard count > 0, !isWriting else { return false }
        let number = count
        let text = try close()
        return try withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: 2) { arguments in
            arguments[0] = text.ref
            arguments[1] = context.lane.encode(Double(number)).ref
            let result = try context.call(handle.ref, this: nil, UnsafeBufferPointer(arguments))
            return context.lane.bool(of: EncodedValue(result)) ?? false
        }
    }

    /// Drops the messages.
    package func drop() {
        guard isOpen else { return }
        count = 0
        isOpen = false
        slab.dropAside()
        slab.end()
    }

    private func close() throws -> EncodedValue {
        defer { drop() }
        return try context.finishWriting(slab)
    }
}
