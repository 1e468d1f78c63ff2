internal import BridgeValues
internal import CJavaScriptCore

/// A batch of messages that are written one after another and delivered to the package's script in one call.
///
/// It stays open between messages, whatever the context is used for meanwhile: writing another value sets it aside. It
/// may be used only on the thread of the open turn.
package final class MessageBatch {
    /// The number of cells at which a batch is full: 2 MiB.
    private static let maximumCells = 1 << 18
    /// The number of bytes of strings at which a batch is full: 4 MiB.
    private static let maximumTextSize = 1 << 22

    // The context owns the owner of this batch.
    private unowned(unsafe) let context: JSContext
    private let slab: SlabWriter
    @exclusivity(unchecked) private var isOpen = false
    /// A Boolean value that indicates whether a message is being written, whose `encode(to:)` may run any code.
    @exclusivity(unchecked) private var isWriting = false
    /// The number of messages in the batch.
    @exclusivity(unchecked) package private(set) var count = 0

    package init(in context: JSContext) {
        self.context = context
        slab = context.slabWriter
    }

    /// Adds a message.
    ///
    /// - Parameter body: Writes the message.
    /// - Returns: Whether it was added. It is not if another value is being written at the moment, or the batch is
    ///   full.
    /// - Throws: The error of the body, or `limitExceeded` for a message that is too large. The batch is then
    ///   unchanged.
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

    /// Passes the messages to a function of the package's script, whose arguments are the text and the number of
    /// messages.
    ///
    /// A turn must be open. The function is not called if the batch is empty, or a message is being written at the
    /// moment.
    ///
    /// - Returns: Whether work of the last message may be waiting for a promise.
    /// - Throws: ``JSException`` if the turn was terminated. The function has received the messages.
    package func deliver(to handle: JSHandle) throws -> Bool {
        guard count > 0, !isWriting else { return false }
        let number = count
        let text = try close()
        return try withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: 2) { arguments in
            arguments[0] = text.ref
            arguments[1] = context.scalars.encode(Double(number)).ref
            let result = try context.call(handle.ref, this: nil, UnsafeBufferPointer(arguments))
            return context.scalars.bool(of: EncodedValue(result)) ?? false
        }
    }

    /// Discards the messages.
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
