/// The arguments of a call from a script: as many elements as it gave.
///
/// An index beyond them gives `undefined`, as it does in JavaScript:
///
/// ```swift
/// let greet = try context.makeFunction(named: "greet") { arguments in
///     let name = arguments[0]              // undefined in greet()
///     return try JSValue("Hello, \(name.toString())", in: context)
/// }
/// ```
public struct JSArguments<Element>: RandomAccessCollection {
    private let elements: [Element]
    /// The value of an argument that was not given.
    private let undefined: Element

    init(_ elements: [Element], undefined: Element) {
        self.elements = elements
        self.undefined = undefined
    }

    /// The index of the first argument: 0.
    public var startIndex: Int { 0 }
    /// The number of arguments.
    public var endIndex: Int { elements.count }
    /// The argument at an index; `undefined` where the script gave none.
    public subscript(index: Int) -> Element { elements.indices.contains(index) ? elements[index] : undefined }
}

/// Arguments that are data may go to other threads.
extension JSArguments: Sendable where Element: Sendable {}
