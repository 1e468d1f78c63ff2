internal import BridgeValues

/// The limits of a script: the time, memory and counts that it may use before it is stopped.
///
/// ```swift
/// let machine = JSVirtualMachine(limits: .constrained)
/// var limits = ExecutionLimits.trusted
/// limits.wallTime = .seconds(5)
/// ```
///
/// The time limits apply to an *operation*: one entry from Swift with everything that it causes. This includes nested
/// calls between Swift and JavaScript, microtasks, and further turns that join the operation (``ExecutionBudget``).
public struct ExecutionLimits: Sendable, Hashable {
    /// The treatment of a virtual machine's contexts after a script in it was stopped.
    public enum TerminationPolicy: String, Sendable, Hashable {
        /// The contexts continue: the next turn runs.
        ///
        /// The engine drops the microtasks that were pending.
        case continues
        /// The contexts are retired: every later turn throws ``BridgeErrorCode/disconnected``, and no timer fires.
        case retires
    }

    /// The tier that these limits may not weaken.
    public let tier: ExecutionTier

    /// The processor time that one operation may use; `nil` means no limit.
    ///
    /// Stops endless loops, endless getters, endless chains of promises and endless work of a store, about 10 ms after
    /// the limit. It counts the processor time of the thread from the beginning of a turn to its end. That includes the
    /// script, its microtasks, and the Swift functions and other virtual machines that it calls or that the turn's body
    /// runs. Waiting is not counted.
    ///
    /// The engine cannot interrupt one call of a built-in function. The call runs to its end, and the turn is then
    /// stopped, at the latest when it ends: its result is not returned. Only the call's own work bounds its duration.
    /// Measured on 2.50.6:
    /// - Regular expressions that backtrack exponentially take 0.7 to 3 s, then the engine gives up by itself.
    /// - `/x*x*x*y/` on 4,000 characters takes more than 100 s, because the engine does not give up.
    /// - A sort of millions of elements takes 2.5 s.
    ///
    /// Scripts that could do that belong in a process of their own.
    public var processorTime: Duration?

    /// The time, waiting included, within which an operation must end after it began; `nil` means no limit.
    ///
    /// Stops a script that calls slow Swift functions without end. Like an interrupt, the limit is noticed when such a
    /// function returns, within some milliseconds of a store's work, or within 10 ms of the script's processor time.
    public var wallTime: Duration?

    /// The number of bytes, for objects and buffers, that the virtual machine's heap may hold; `nil` means no limit.
    ///
    /// Stops scripts that keep what they allocate. The limit is soft: it is checked every 10 ms, so that one allocation
    /// may exceed it. The check first reads the growth of the whole process, which costs 5 us. Only if that has reached
    /// the limit, the check collects garbage and measures the heap itself. Growth elsewhere in the process therefore
    /// ends no script.
    public var maximumHeapBytes: Int?

    /// The maximum nesting of calls from JavaScript into Swift.
    ///
    /// Stops mutual recursion before the native stack overflows: one level takes 1 KB of stack or more. A deeper call
    /// throws `limitExceeded` into the script. Recursion within JavaScript ends with a `RangeError` of the engine.
    public var maximumNestedCalls: Int

    /// The amount of text that `console` may write in a second, in UTF-8 bytes; `nil` means no limit.
    ///
    /// Stops logs from filling disks. Text over the limit is dropped. A warning reports when that begins and how much
    /// was dropped.
    public var maximumConsoleBytesPerSecond: Int?

    /// The number of timers that a context may have pending.
    ///
    /// Stops timers from exhausting memory. One more timer throws `limitExceeded` into the script.
    public var maximumTimers: Int

    /// The number of promises of a context that may wait for Swift: calls of asynchronous functions and of the bridge.
    ///
    /// Stops a script from starting calls faster than they are answered. Promises that scripts create for themselves
    /// are not counted: they use memory, and processor time when they settle.
    public var maximumPendingPromises: Int

    /// The maximum size of one `ArrayBuffer` or typed array that a script creates, in bytes; `nil` means the engine's
    /// limit.
    ///
    /// Stops `new Uint8Array(4e9)`, which would be allocated between two checks of the memory. A larger one throws a
    /// `RangeError`. The limit is a guard around the constructors, installed when a context is created. A limit that is
    /// set later applies only to contexts that were created under one.
    public var maximumTypedArrayBytes: Int?

    /// The maximum nesting of a value that crosses the boundary; more than 10,000 counts as 10,000.
    ///
    /// Stops a crafted value from exhausting the native stack.
    public var maximumDepth: Int

    /// The number of values, containers and scalars together, that one payload may have.
    ///
    /// Stops one payload from exhausting memory.
    public var maximumNodes: Int

    /// The number of bytes that the strings and buffers of one payload may take together, in either direction.
    ///
    /// Each UTF-16 code unit of a string or key counts two bytes at every position, each byte of a buffer counts one.
    ///
    /// Stops one payload from exhausting memory with few values: an array may have the same string at a thousand
    /// indices. A larger payload throws `limitExceeded` before it is copied. A string or a `Data` that is a whole
    /// argument or result by itself is not counted.
    public var maximumPayloadBytes: Int

    /// A Boolean value that indicates whether scripts may compile strings as code, with `eval`, `Function` and similar
    /// functions.
    ///
    /// ``JSContext/evaluate(_:sourceURL:startingLine:sourceMaps:)`` is always allowed. WebAssembly is off in every
    /// tier.
    public var allowsEval: Bool

    /// The treatment of the contexts after a script was stopped.
    public var terminationPolicy: TerminationPolicy

    /// Creates the limits of a trusted script, which stop only a script that would never end.
    ///
    /// - Parameter processorTime: The processor time that one operation may use; `nil` means no limit.
    public init(processorTime: Duration? = .seconds(30)) {
        self = .trusted
        self.processorTime = processorTime
    }

    private init(
        tier: ExecutionTier,
        processorTime: Duration?,
        wallTime: Duration?,
        maximumHeapBytes: Int?,
        maximumNestedCalls: Int,
        maximumConsoleBytesPerSecond: Int?,
        maximumTimers: Int,
        maximumPendingPromises: Int,
        maximumTypedArrayBytes: Int?,
        maximumDepth: Int,
        maximumNodes: Int,
        maximumPayloadBytes: Int,
        allowsEval: Bool,
        terminationPolicy: TerminationPolicy
    ) {
        self.tier = tier
        self.processorTime = processorTime
        self.wallTime = wallTime
        self.maximumHeapBytes = maximumHeapBytes
        self.maximumNestedCalls = maximumNestedCalls
        self.maximumConsoleBytesPerSecond = maximumConsoleBytesPerSecond
        self.maximumTimers = maximumTimers
        self.maximumPendingPromises = maximumPendingPromises
        self.maximumTypedArrayBytes = maximumTypedArrayBytes
        self.maximumDepth = maximumDepth
        self.maximumNodes = maximumNodes
        self.maximumPayloadBytes = maximumPayloadBytes
        self.allowsEval = allowsEval
        self.terminationPolicy = terminationPolicy
    }

    /// The limits of the trusted tier.
    public static let trusted = ExecutionLimits(
        tier: .trusted,
        processorTime: .seconds(30),
        wallTime: nil,
        maximumHeapBytes: nil,
        maximumNestedCalls: 64,
        maximumConsoleBytesPerSecond: nil,
        maximumTimers: 100_000,
        maximumPendingPromises: 1_000_000,
        maximumTypedArrayBytes: nil,
        maximumDepth: 512,
        maximumNodes: 16_000_000,
        maximumPayloadBytes: 1 << 30,
        allowsEval: true,
        terminationPolicy: .continues
    )

    /// The limits of the constrained tier: the weakest that it allows.
    public static let constrained = ExecutionLimits(
        tier: .constrained,
        processorTime: .milliseconds(250),
        wallTime: .seconds(30),
        maximumHeapBytes: 128 << 20,
        maximumNestedCalls: 64,
        maximumConsoleBytesPerSecond: 64 << 10,
        maximumTimers: 1_000,
        maximumPendingPromises: 1_024,
        maximumTypedArrayBytes: 64 << 20,
        maximumDepth: 64,
        maximumNodes: 100_000,
        maximumPayloadBytes: 64 << 20,
        allowsEval: false,
        terminationPolicy: .retires
    )

    /// Returns the weakest limits of a tier.
    public static func weakest(of tier: ExecutionTier) -> ExecutionLimits {
        switch tier {
        case .trusted: .trusted
        case .constrained: .constrained
        }
    }

    /// The maximum depth that is applied, clamped to the range of ``Value``.
    var usableDepth: Int { min(max(0, maximumDepth), Value.maximumDepth) }
}
