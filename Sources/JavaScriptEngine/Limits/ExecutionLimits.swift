internal import BridgeValues

/// How much a script may use before it is stopped: all limits as one value.
///
/// ```swift
/// let machine = JSVirtualMachine(limits: .constrained)
/// var limits = ExecutionLimits.trusted
/// limits.wallTime = .seconds(5)
/// ```
///
/// The limits of time count for an *operation*: one entry from Swift and everything that it causes, the calls
/// between Swift and JavaScript inside it and its microtasks; and further turns that join it
/// (``JSOperation``).
public struct ExecutionLimits: Sendable, Hashable {
    /// What happens to the contexts of a virtual machine after a script in it was stopped.
    public enum TerminationPolicy: String, Sendable, Hashable {
        /// They go on: the next turn runs. The microtasks that waited are lost, as the engine drops them.
        case goesOn
        /// They are retired: every turn from then on throws ``BridgeErrorCode/disconnected``, no timer fires.
        case retires
    }

    /// The tier that these limits may not weaken.
    public let tier: ExecutionTier

    /// How much processor time one operation may take; `nil` means no limit.
    ///
    /// Stops endless loops, endless getters, endless chains of promises and endless work of a store, about 10 ms after
    /// the limit. It counts the processor time of the thread from the beginning of a turn to its end: the script, its
    /// microtasks, and the Swift functions and other virtual machines that it calls or that the turn's body runs. Waiting
    /// costs none.
    ///
    /// The engine cannot interrupt one call of a built-in function. The call runs to its end, and the turn is
    /// stopped then, at the latest when it ends: its result is not returned. The call has no other bound than
    /// its own work. Measured on 2.50.6: 0.7 to 3 s for regular expressions that backtrack exponentially, where
    /// the engine gives up by itself; more than 100 s for `/x*x*x*y/` and 4,000 characters, where it does
    /// not; 2.5 s for a sort of millions. Scripts that could do that belong in a process of their own.
    public var processorTime: Duration?

    /// How much time may pass from the beginning of an operation until it must have ended, waiting included;
    /// `nil` means no limit.
    ///
    /// Stops a script that calls slow Swift functions for ever. It is noticed as an interrupt is: when such a
    /// function returns, within some milliseconds of a store's work, or within 10 ms of the script's processor time.
    public var wallTime: Duration?

    /// How many bytes the virtual machine's heap may hold, objects and buffers; `nil` means no limit.
    ///
    /// Stops scripts that keep what they make. It is soft: looked at every 10 ms, first as the growth of the
    /// whole process, which costs 5 us; only where that has reached the limit, garbage is collected and the
    /// heap itself is asked, so that another's growth ends no script. One allocation may pass it.
    public var maximumHeapBytes: Int?

    /// How deep calls from JavaScript into Swift may nest.
    ///
    /// Stops mutual recursion before the native stack ends it: one level takes about 1 KB and more of stack.
    /// A deeper call throws `limitExceeded` into the script. Recursion within JavaScript is a `RangeError` of
    /// the engine.
    public var maximumNestedCalls: Int

    /// How much text `console` may write in a second, in UTF-8 bytes; `nil` means no limit.
    ///
    /// Stops logs from filling disks. What is over is dropped, and a warning says when that begins and how
    /// much it was.
    public var maximumConsoleBytesPerSecond: Int?

    /// How many timers of a context may wait.
    ///
    /// Stops timers from taking all memory; one more throws `limitExceeded` into the script.
    public var maximumTimers: Int

    /// How many promises of a context may wait for Swift: calls of asynchronous functions and of the bridge.
    ///
    /// Stops a script from starting calls faster than they are answered. Promises that scripts make for
    /// themselves are memory, and time when they settle.
    public var maximumPendingPromises: Int

    /// How large one `ArrayBuffer` or typed array that a script makes may be, in bytes; `nil` means what the engine allows.
    ///
    /// Stops `new Uint8Array(4e9)`, which would be allocated between two looks at the memory. A larger one is
    /// a `RangeError`. It is a guard around the constructors, put into a context when that is made: a limit
    /// that is set later counts only where there was one before.
    public var maximumTypedArrayBytes: Int?

    /// How deep a value may nest that crosses the border; more than 10,000 counts as 10,000.
    ///
    /// Stops a crafted value from exhausting the native stack.
    public var maximumDepth: Int

    /// How many values, containers and leaves, may cross in one payload.
    ///
    /// Stops one payload from taking all memory.
    public var maximumNodes: Int

    /// How many bytes the strings and the data of one payload may take together, in either direction: two for each UTF-16
    /// code unit of a string or key, wherever it stands, and one for each byte of a buffer.
    ///
    /// Stops one payload from taking all memory, for which few values are enough: an array may have the same string in a
    /// thousand places. A larger one throws `limitExceeded` before it is copied. A string or a `Data` that is a whole argument
    /// or result by itself is not counted.
    public var maximumPayloadBytes: Int

    /// Whether text may become code: `eval`, `Function` and its kin.
    ///
    /// ``JSContext/evaluate(_:sourceURL:startingLine:)`` always may. WebAssembly is off in every tier.
    public var allowsEval: Bool

    /// What happens after a script was stopped.
    public var terminationPolicy: TerminationPolicy

    /// Makes limits; without arguments those of a trusted script, which stop only what would never end.
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
        terminationPolicy: .goesOn
    )

    /// The limits of the constrained tier: what it has at the weakest.
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

    /// The weakest limits of a tier.
    public static func weakest(of tier: ExecutionTier) -> ExecutionLimits {
        switch tier {
        case .trusted: .trusted
        case .constrained: .constrained
        }
    }

    /// The depth that is counted with.
    var usableDepth: Int { min(max(0, maximumDepth), Value.maximumDepth) }
}
