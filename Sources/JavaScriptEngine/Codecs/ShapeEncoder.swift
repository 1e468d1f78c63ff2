internal import BridgeValues

/// The members that a type encodes, as they are written, and the shape that they have so far.
final class ShapeInProgress {
    unowned(unsafe) let context: JSContext
    let state: UnsafeMutablePointer<State>

    /// The state that changes with every member, behind a pointer for the reasons of ``SlabWriter``.
    struct State {
        let writer: SlabWriter
        let root: ShapeNode
        var node: ShapeNode
        var tagCell = 0
        var isKeyed = false
        /// A Boolean value that indicates whether the type encoded something other than members, or too many kinds of
        /// them.
        var hasFailed = false
        /// The context in which the type's members are encoded.
        unowned(unsafe) let context: JSContext
        var containers = CoderContainers()
        let mark = CoderGeneration.take()

        /// An encoder whose result is discarded.
        var discardingEncoder: any Encoder {
            ValueEncoder.discardingEncoder(maximumDepth: context.virtualMachine.maximumDepth)
        }

        /// Advances the shape by a member.
        @inline(__always)
        mutating func advance(_ name: String, _ cell: ShapeCell) throws {
            try writer.count()
            if let next = node.after(name, cell, root: root) { node = next } else { hasFailed = true }
        }
    }

    init(_ root: ShapeNode, in context: JSContext) {
        self.context = context
        state = .allocate(capacity: 1)
        state.initialize(to: State(writer: context.slab.writer, root: root, node: root, context: context))
    }

    deinit {
        CoderGeneration.recycle(state.pointee.mark)
        state.pointee.containers.deallocate()
        state.deallocate()
    }

    @inline(__always)
    func begin() {
        state.pointee.node = state.pointee.root
        state.pointee.hasFailed = false
        state.pointee.isKeyed = false
        state.pointee.tagCell = state.pointee.writer.used
        state.pointee.writer.put(0)
        CoderGeneration.begin(state.pointee.mark)
    }

    /// Ends the value.
    @inline(__always)
    func end() {
        CoderGeneration.end(state.pointee.mark)
        if !state.pointee.containers.end() { CoderGeneration.invalidateContainers(state.pointee.mark) }
    }

    /// Writes the shape's tag to its cell.
    ///
    /// Returns false if the value does not have a shape.
    func finish() throws -> Bool {
        guard state.pointee.isKeyed, !state.pointee.hasFailed else { return false }
        let node = state.pointee.node
        if node.shape == 0 { node.shape = try context.addShape(ShapeCodeGenerator.builder(of: node.members)) }
        state.pointee.writer.replace(state.pointee.tagCell, by: node.shape)
        return true
    }

    static var overError: BridgeError {
        BridgeError(
            .encodeFailed,
            "an encoder was used after its value was encoded, while a member was being encoded, or on another thread"
        )
    }
}

/// The encoder that a type receives.
///
/// It writes the members and follows their shape.
struct ShapeEncoder: Encoder {
    // Three words, which fit into an existential without an allocation.
    private let mark: CoderGeneration.Pointer
    private let number: UInt
    private let state: UnsafeMutablePointer<ShapeInProgress.State>

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Makes an encoder for the value that has begun.
    @inline(__always)
    init(_ shape: ShapeInProgress) {
        state = shape.state
        mark = state.pointee.mark
        number = mark.pointee.value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if CoderGeneration.isOpen(mark, value: number) {
            state.pointee.isKeyed = true
            if let usual = state.pointee.containers.usual(for: type) {
                return usual.assumingMemoryBound(to: KeyedEncodingContainer<Key>.self).pointee
            }
        }
        return makeContainer(type)
    }

    // A separate function, because its type metadata is looked up at the function's start.
    @inline(never)
    private func makeContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedEncodingContainer<Key> {
        guard CoderGeneration.isOpen(mark, value: number) else {
            return KeyedEncodingContainer(KeyedShapeEncodingContainer(mark, 0, state))
        }
        let container = KeyedEncodingContainer(
            KeyedShapeEncodingContainer<Key>(mark, mark.pointee.containers, state)
        )
        state.pointee.containers.note(container, for: type)
        return container
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { fail().unkeyedContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { fail().singleValueContainer() }

    /// Gives up the shape.
    ///
    /// Returns an encoder whose result is discarded.
    private func fail() -> any Encoder {
        if CoderGeneration.isOpen(mark, value: number) { state.pointee.hasFailed = true }
        return state.pointee.discardingEncoder
    }
}
