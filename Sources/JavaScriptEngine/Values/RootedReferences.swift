internal import CJavaScriptCore

extension JSContext {
    /// Creates several engine values and runs a body with all of them.
    ///
    /// The collector looks for values on the stack, in registers and among protected ones, never in Swift's heap. A
    /// value that only an array holds may be collected when the next one is created. Up to 64 values stay on the stack
    /// here, more are protected meanwhile.
    func withReferences<Result>(
        _ count: Int,
        making make: (Int) throws -> JSValueRef?,
        _ body: (UnsafeBufferPointer<JSValueRef?>) throws -> Result
    ) throws -> Result {
        // Temporary allocations of up to 1024 bytes are on the stack.
        let areOnStack = count <= 64
        return try withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: count) { references in
            references.initialize(repeating: nil)
            defer {
                if !areOnStack { for case let made? in references { JSValueUnprotect(ref, made) } }
            }
            for index in references.indices {
                let made = try make(index)
                if !areOnStack, let made { JSValueProtect(ref, made) }
                references[index] = made
            }
            return try body(UnsafeBufferPointer(references))
        }
    }
}
