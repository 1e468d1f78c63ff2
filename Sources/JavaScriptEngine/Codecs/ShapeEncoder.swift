internal import BridgeValues

/// The members that a type encodes, as they are written, and the shape that they have so far.
final class ShapeInProgress {
    unowned(unsafe) let context: JSContext
    let state: UnsafeMutablePointer<State>

    /// The form that a type has chosen for its value.
    enum Form { case none, keyed, single }

    /// The state that changes with every member, behind a pointer for the reasons of ``SlabWriter``.
    struct State {
        let writer: SlabWriter
        let root: ShapeNode
        var node: ShapeNode
        var tagCell = 0
        var form = Form.none
        /// The number of the nested object that is open; 0 if members belong to the value itself.
        var nested = 0
        var lastNested = 0
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

        /// Begins an object with members; does nothing if it has begun.
        @inline(__always)
        mutating func beginObject() {
            guard form != .keyed else { return }
            if form == .single { hasFailed = true }
            form = .keyed
            writer.enterUnchecked()
        }

        /// Begins a value that is not a container.
        mutating func beginSingle() {
            // The last value counts if a type encodes several, which only the coding in steps does.
            guard form == .none else {
                hasFailed = true
                return
            }
            form = .single
            // The cell for the shape's tag.
            writer.removeLastCell()
        }

        /// Begins a nested object, in the value itself.
        mutating func beginNested(_ name: String) throws {
            try advance(name, .nested, of: 0)
            lastNested += 1
            nested = lastNested
            writer.enterUnchecked()
        }

        /// Makes an object the one to which members are added.
        @inline(never)
        mutating func reopen(_ object: Int) throws {
            // An object that ended can continue only in the coding in steps.
            guard object == 0, let next = node.after("", .end, root: root) else {
                hasFailed = true
                return
            }
            try writer.checkDepth()
            writer.leave()
            node = next
            nested = 0
        }

        /// Advances the shape by a member of the value itself or of a nested object.
        @inline(__always)
        mutating func advance(_ name: String, _ cell: ShapeCell, of object: Int) throws {
            if object != nested { try reopen(object) }
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
        state.pointee.form = .none
        state.pointee.nested = 0
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

    /// Writes the shape's tag to its cell, unless the value is not an object.
    ///
    /// Returns false if the value has another form.
    func finish() throws -> Bool {
        guard state.pointee.form != .none, !state.pointee.hasFailed else { return false }
        guard state.pointee.form == .keyed else { return true }
        try state.pointee.writer.checkDepth()
        if state.pointee.nested != 0 { state.pointee.writer.leave() }
        state.pointee.writer.leave()
        let node = state.pointee.node
        if node.shape == 0, node.hasRepeatedNestedName { return false }
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
            state.pointee.beginObject()
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

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleShapeEncodingContainer(mark, number, state)
    }

    /// Gives up the shape.
    ///
    /// Returns an encoder whose result is discarded.
    private func fail() -> any Encoder {
        if CoderGeneration.isOpen(mark, value: number) { state.pointee.hasFailed = true }
        return state.pointee.discardingEncoder
    }
}
