internal import BridgeValues

/// A runner of the native side's vectors, for any implementation.
public struct NativeConformance: Sendable {
    /// The names of the protocol.
    public let dialect: ConformanceDialect
    /// A Boolean value that indicates whether the mistakes of WebViewJavascriptBridge are expected.
    public let isLegacyLibrary: Bool

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - dialect: The names of the protocol.
    ///   - isLegacyLibrary: Whether a vector's `original` expectations replace the normal ones.
    public init(dialect: ConformanceDialect = .webViewJavascriptBridge, isLegacyLibrary: Bool = false) {
        self.dialect = dialect
        self.isLegacyLibrary = isLegacyLibrary
    }

    /// Runs one vector against a new native side.
    ///
    /// - Returns: The first difference from the expectations; `nil` where there was none.
    /// - Throws: An error of the vector itself, and the errors of the side.
    public func run(
        _ vector: ConformanceVector,
        on side: sending any NativeSideUnderTest
    ) async throws -> ConformanceFailure? {
        guard vector.side == .native else {
            throw BridgeError(.invalidArgument, "\"\(vector.name)\" is a vector of the script side")
        }
        var checker = try ConformanceChecker(
            vector: vector,
            dialect: dialect,
            isLegacyLibrary: isLegacyLibrary
        )
        if !vector.startsEmpty {
            try await side.perform(.load(script: scriptedEnd))
            _ = side.takeObservations()
        }
        for (index, step) in vector.steps.enumerated() {
            try await side.perform(stimulus(step.stimulus, checker))
            if let failure = try checker.check(step, at: index, side.takeObservations(), timers: nil) {
                return failure
            }
        }
        return nil
    }

    private func stimulus(
        _ stimulus: ConformanceStimulus,
        _ checker: ConformanceChecker
    ) throws -> NativeStimulus {
        switch stimulus {
        case .inject: .load(script: scriptedEnd)
        case .reload: .reload
        case .script(let text): .evaluate(script: try checker.bindings.filled(text))
        case .peer(let text): .signal(queue: try checker.bindings.filled(text))
        case .register(let name, let behaviour): .register(name, behaviour)
        case .remove(let name): .remove(name)
        case .call(let name, let data, let callback):
            .call(name, data: try data.map { try checker.json($0) }, callback: callback)
        case .reset: .reset
        case .disableSafetyTimeout: .disableSafetyTimeout
        case .enableLogging: .enableLogging
        case .setLogMaxLength(let length): .setLogMaxLength(length)
        case .deliver, .turns, .advance, .fetch:
            throw BridgeError(.invalidArgument, "\(stimulus) is not a stimulus of a native side")
        }
    }

    /// The script of a peer that does what the vector says and nothing by itself: `peer(text)` puts a text into the
    /// queue and signals, and received messages are written as lines.
    private var scriptedEnd: String {
        """
        (function () {
            let queue = "[]";
            const frame = document.createElement("iframe");
            document.documentElement.appendChild(frame);
            function take() {
                const messages = JSON.parse(queue);
                queue = "[]";
                return messages;
            }
            window.peer = function (text) {
                queue = text;
                \(dialect.signals)
            };
            function receive(message) {
                console.debug("sent " + (typeof message === "string" ? message : JSON.stringify(message)));
            }
            window.\(dialect.globalName) = {
                \(dialect.fetchName)() {
                    const text = queue;
                    queue = "[]";
                    \(dialect.returns)
                },
                \(dialect.entryName): receive,
            };
            if (\(dialect.isEntryGlobal)) {
                window.\(dialect.entryName) = receive;
                window.peer('[["_dsb.dsinit", { "data": null }]]');
            }
        })();
        """
    }
}
