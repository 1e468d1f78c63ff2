/// An object that is used in the turns of one engine only, on its way there or out of one.
// @unchecked Sendable because the value is read in turns only.
final class InTurns<Value>: @unchecked Sendable {
    private(set) var value: Value?

    init(_ value: Value) { self.value = value }

    func release() { value = nil }
}
