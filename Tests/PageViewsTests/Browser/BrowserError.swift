/// The reason why a browser of the tests did not do what it was asked.
struct BrowserError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
