extension ViewFrame {
    /// The steps that lead a renderer from one frame to another.
    public struct Difference: Sendable, Hashable {
        /// The numbers of the views that are no longer visible.
        public var removed: [Int] = []
        /// The elements whose views were not visible.
        public var inserted: [Element] = []
        /// The elements whose views were visible and look different, or display another item.
        public var changed: [Element] = []

        /// Creates a difference without steps.
        public init() {}

        /// A Boolean value that indicates whether the elements are the same.
        public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty }
    }

    /// Returns the steps from an earlier frame to this one; all elements are inserted if there is none.
    ///
    /// - Complexity: O(v) in the elements of both frames.
    public func difference(from earlier: ViewFrame?) -> Difference {
        var old: [Int: Element] = [:]
        for element in earlier?.elements ?? [] { old[element.viewNumber] = element }
        var result = Difference()
        for element in elements {
            switch old.removeValue(forKey: element.viewNumber) {
            case nil: result.inserted.append(element)
            case let before? where before != element: result.changed.append(element)
            default: break
            }
        }
        result.removed = old.keys.sorted()
        return result
    }
}
