internal import BridgeValues

/// The state of a context that is paused.
struct PausedContext {
    /// The frames as the protocol describes them, innermost first, with those before an `await`.
    var stack: [Value] = []
    /// The error at which it pauses, as the engine describes it; `nil` at another pause.
    var exception: Value?
}

/// A frame of a paused script.
struct FrameHandle {
    let context: InspectedContext
    let callFrameID: String
    let scopes: [Value]
    let this: Value
}

/// An object whose members a client can request.
struct ObjectHandle {
    /// The part of the object that is requested.
    enum Part {
        case members
        /// The entries of a map or a set.
        case entries
        /// The variables of a scope of a frame.
        case variables(frame: Int)
    }

    let context: InspectedContext
    let objectID: String
    /// The further scopes of the same function: its parameters and its `let` variables are two scopes of the engine.
    var further: [String] = []
    let part: Part
    /// The number of elements of an array, or of entries of a map or a set; `nil` for another object.
    let elementCount: Int?

    var hasEntries: Bool { if case .entries = part { true } else { false } }
}

/// The numbers by which a client refers to frames and objects, until their context is resumed.
struct SessionHandles {
    private(set) var frames: [Int: FrameHandle] = [:]
    private(set) var objects: [Int: ObjectHandle] = [:]
    private var count = 0

    mutating func add(_ frame: FrameHandle) -> Int {
        count += 1
        frames[count] = frame
        return count
    }

    mutating func add(_ object: ObjectHandle) -> Int {
        count += 1
        objects[count] = object
        return count
    }

    /// Removes the frames and objects of a context.
    mutating func removeAll(of context: InspectedContext) {
        frames = frames.filter { $0.value.context !== context }
        objects = objects.filter { $0.value.context !== context }
    }
}
