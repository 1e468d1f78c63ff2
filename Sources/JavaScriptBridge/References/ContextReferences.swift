/// The references of one context with the direct transport: the exchange with the package's own script.
///
/// A string describes a reference: `f`, `o` or `y` for a function, an object, or a reference that belongs to the
/// reader. Its id follows, and for an object a NUL and a name for each of its methods.
final class ContextReferences: JSReferences {
    private let table: ReferenceTable
    private let epoch: Int
    // The context owns this.
    private unowned let context: JSContext
    private var exportReference: JSHandle?
    private var importReference: JSHandle?
    /// The number of references in payloads that were read.
    private var takenCount = 0

    init(_ table: ReferenceTable, in context: JSContext) throws {
        self.table = table
        self.context = context
        epoch = table.epoch
        let internals = context.internals
        let taken = context.makeHostFunction { [weak self] _ in .integer(Int64(self?.takenCount ?? 0)) }
        try internals.setValue(taken, forProperty: "takenReferences")
        let net = context.makeHostFunction(returningValue: { [epoch, table] call in
            call.context.makeHandle(ReferenceFinalizer(Int(call.double(at: 0)), epoch, table))
        })
        try internals.setValue(net, forProperty: "makeNet")
    }

    /// Reads the script's functions, once they exist.
    func connect() throws {
        exportReference = JSHandle(try context.internals.forProperty("exportReference"))
        importReference = JSHandle(try context.internals.forProperty("importReference"))
    }

    func isReferred(_ value: JSValue) throws -> Bool {
        guard value.isObject else { return false }
        return try context.internals.invokeMethod("isReferred", withArguments: [value]).toBool()
    }

    func reference(to value: JSValue) throws -> Reference {
        guard let exportReference else { throw BridgeError(.unsupported, Value.noReference) }
        return try read(try context.value(of: exportReference).call(withArguments: [value]).toString())
    }

    func reference(noted note: String) throws -> Reference {
        takenCount += 1
        return try read(note)
    }

    private func read(_ note: String) throws -> Reference {
        let parts = note.dropFirst().split(separator: "\0", omittingEmptySubsequences: false)
        let kind: ReferenceRecord.Kind =
            switch note.first {
            case "f": .function
            case "o": .object
            default: .yours
            }
        return try table.reference(
            to: ReferenceRecord(
                id: parts.first.map(String.init) ?? "",
                kind: kind,
                methods: parts.dropFirst().map(String.init)
            )
        )
    }

    func value(of reference: Reference) throws -> JSValue {
        guard let importReference else { throw BridgeError(.unsupported, Value.noReference) }
        let record = reference.target.record
        let mark: String
        switch record.kind {
        case .function: mark = "f"
        case .object: mark = "o"
        case .yours: mark = "y"
        case .result: throw BridgeError(.unsupported, Value.noReference)
        }
        guard table.epoch == epoch else { throw RemoteReference.goneError }
        try table.export([reference])
        do {
            return try context.value(of: importReference).call(withArguments: [
                JSValue(.string(mark + record.id), in: context),
                JSValue(.string(record.methods.joined(separator: "\0")), in: context),
            ])
        } catch {
            if (error as? JSException)?.isTermination != false { throw error }
            // The script itself has reported that it does not hold the reference.
            throw BridgeError(wrapping: error)
        }
    }
}

/// A sentinel that is released when the script's collector has freed the stand-in of a Swift reference.
private final class ReferenceFinalizer: Sendable {
    private let number: Int
    private let epoch: Int
    private let table: ReferenceTable

    init(_ number: Int, _ epoch: Int, _ table: ReferenceTable) {
        self.number = number
        self.epoch = epoch
        self.table = table
    }

    deinit { table.finalized(number, epoch) }
}
