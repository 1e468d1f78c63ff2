extension JSContext {
    /// Attaches a client to the engine's inspector of this context.
    ///
    /// The client stays attached until the context is closed. Call it before anything runs in the context: the engine
    /// can end the process if an inspector is attached to a machine that has run hot code. For the same reason, a
    /// machine that has run code with the optimizing compilers is refused
    /// (``InspectorSupport/prepareProcess()``).
    ///
    /// - Throws: ``JSException`` if the library cannot be debugged, the context is closed, a client is attached, or
    ///   something has run.
    /// - Returns: The target, through which the client sends commands.
    @discardableResult
    public func attachInspector(_ client: any InspectorClient) throws(JSException) -> InspectorTarget {
        guard !isClosed else { throw Self.closedError }
        if let error = InspectorSupport.error(for: InspectorSupport.current) { throw error }
        guard hooks.inspector == nil else { throw Self.refusal("the context has an inspector") }
        guard !life.isPrepared else {
            throw Self.refusal("an inspector must be attached before the first script of its context runs")
        }
        guard virtualMachine.turnCount == 0 || !InspectorSupport.usesOptimizingCompilers else {
            throw Self.refusal(
                """
                the virtual machine has run code with the optimizing compilers; call \
                InspectorSupport.prepareProcess() before the first use of the engine
                """
            )
        }
        let attached = try ContextInspector(client: client, context: self)
        hooks.inspector = attached
        virtualMachine.add(attached)
        // It returns false, and is therefore repeated in every turn.
        hooks.turnPreparations.append { [unowned attached] in
            attached.sendPending()
            return false
        }
        return attached.target
    }

    private static func refusal(_ message: String) -> JSException {
        JSException(name: "Error", message: message)
    }

    /// Passes a line of the console to the context's sink and to its inspector.
    func write(_ message: ConsoleMessage) {
        consoleSink?(message)
        hooks.inspector?.print(message)
    }
}

extension JSVirtualMachine {
    /// Retains an inspector until its context is closed or released.
    func add(_ inspector: ContextInspector) {
        inspectors.append(inspector)
        watchdog.inspect = { [unowned self] in for inspector in inspectors { inspector.tick() } }
        let targets = inspectors.map(\.target)
        watchdog.signal.observeRequests { for target in targets { target.interrupt() } }
    }

    /// Detaches the inspectors of contexts that were released without having been closed.
    func detachOrphans() {
        for inspector in inspectors where inspector.isOrphan { inspector.detach() }
        inspectors.removeAll(where: \.isOrphan)
    }
}
