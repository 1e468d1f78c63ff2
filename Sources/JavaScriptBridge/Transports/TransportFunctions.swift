/// The functions of the package's script that a direct transport calls.
///
/// It is a class, so that a use of one function retains one object.
final class TransportFunctions {
    let deliverRequest: JSHandle
    let deliverResponse: JSHandle
    let deliverControl: JSHandle
    let deliverBatch: JSHandle
    let dropBatch: JSHandle
    let addHandlerReceiver: JSHandle
    let addTopicReceiver: JSHandle
    let dropHandlerReceivers: JSHandle
    let addReplyReceiver: JSHandle
    let isUnwanted: JSHandle
    /// The script's array with the number of requests of a batch that were not handled yet, and its memory.
    private let undelivered: (array: JSHandle, count: UnsafePointer<UInt32>)?

    /// Reads the functions.
    ///
    /// - Throws: ``JSException`` if the turn was stopped.
    init(from internals: JSValue) throws {
        deliverRequest = JSHandle(try internals.forProperty("deliverRequest"))
        deliverResponse = JSHandle(try internals.forProperty("deliverResponse"))
        deliverControl = JSHandle(try internals.forProperty("deliverControl"))
        deliverBatch = JSHandle(try internals.forProperty("deliverBatch"))
        dropBatch = JSHandle(try internals.forProperty("dropBatch"))
        addHandlerReceiver = JSHandle(try internals.forProperty("addHandlerReceiver"))
        addTopicReceiver = JSHandle(try internals.forProperty("addTopicReceiver"))
        dropHandlerReceivers = JSHandle(try internals.forProperty("dropHandlerReceivers"))
        addReplyReceiver = JSHandle(try internals.forProperty("addReplyReceiver"))
        isUnwanted = JSHandle(try internals.forProperty("isUnwanted"))
        let counts = try internals.forProperty("requestsInBatch")
        undelivered = try JSTypedArray(counts).withUnsafeBytes { bytes in
            // The memory stays where it is as long as the array lives.
            bytes.baseAddress.map { (JSHandle(counts), $0.assumingMemoryBound(to: UInt32.self)) }
        }
    }

    /// The number of requests of the batch that the script has not begun.
    var undeliveredRequests: Int { Int(undelivered?.count.pointee ?? 0) }
}
