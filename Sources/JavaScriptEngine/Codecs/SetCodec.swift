internal import BridgeValues

/// A codec of sets, which are arrays in scripts.
final class SetCodec<Element: Hashable>: TypedCodec<Set<Element>> {
    private let elements: ArrayCodec<Element>

    init(_ elements: ArrayCodec<Element>) {
        self.elements = elements
        super.init(in: elements.context)
    }

    override var isSecret: Bool { elements.isSecret }

    override func decode(_ value: EncodedValue, into memory: UnsafeMutableRawPointer) throws {
        let found = try context.readByCodec([Element].self, value, elements)
        memory.initializeMemory(as: Set<Element>.self, to: Set(found))
    }

    override func encode(_ memory: UnsafeRawPointer, into writer: SlabWriter) throws {
        let found = Array(memory.assumingMemoryBound(to: Set<Element>.self).pointee)
        try withUnsafePointer(to: found) { try elements.encode(UnsafeRawPointer($0), into: writer) }
    }
}
