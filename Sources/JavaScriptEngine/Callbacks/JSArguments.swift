/// The arguments of a call from a script, in order.
///
/// An index beyond the last argument gives `undefined`, as it does in JavaScript:
///
/// ```swift
/// let greet = try context.makeFunction(named: "greet") { arguments in
///     let name = arguments[0]              // undefined in greet()
///     return try JSValue("Hello, \(name.toString())", in: context)
/// }
/// ```
public struct JSArguments<Element>: RandomAccessCollection {
    private let elements: [Element]
    /// The value that is returned for an index beyond the last argument.
    private let undefined: Element

    init(_ elements: [Element], undefined: Element) {
        self.elements = elements
        self.undefined = undefined
    }

    /// The index of the first argument: 0.
    public var startIndex: Int { 0 }
    /// The number of arguments.
    public var endIndex: Int { elements.count }
    /// The argument at an index, or `undefined` beyond the last one.
    public subscript(index: Int) -> Element { elements.indices.contains(index) ? elements[index] : undefined }
}

/// Arguments that are data can be sent to other threads.
extension JSArguments: Sendable where Element: Sendable {}
