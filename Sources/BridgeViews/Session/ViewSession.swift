internal import BridgeValues
internal import CBridgeScript
internal import CollectionViews
internal import JavaScriptBridge

/// The collection views of the scripts of one context, and the functions by which scripts use them.
///
/// Used in turns only. The script's half is `JS/src/views_code`, which checks the arguments.
final class ViewSession {
    let configuration: CollectionViewConfiguration
    /// The open views, in the order of their creation.
    private(set) var views: [ScriptCollectionView] = []

    init(_ configuration: CollectionViewConfiguration) { self.configuration = configuration }

    var names: [String] { views.map(\.name) }

    func view(named name: String) -> ScriptCollectionView? { views.first { $0.name == name } }

    /// Installs the functions in a context, which retains the session.
    ///
    /// Objects of the script hold it weakly: a protected object of the script would otherwise keep the whole context after
    /// a reload.
    func install(in context: JSContext) throws {
        context.hooks.companions.append(self)
        let functions = try JSValue(newObjectIn: context)
        let create = context.makeHostFunction(returningValue: { [weak self] call in
            guard let self else { throw BridgeError(.disconnected, "the context has ended") }
            return call.context.makeHandle(WeakView(try self.create(call)))
        })
        try functions.setValue(create, forProperty: "create")
        let perform = context.makeHostFunction { call in
            guard let view = call.handle(at: 0, as: WeakView.self)?.view else {
                throw BridgeError(.invalidArgument, "the collection view was closed")
            }
            return try ViewVerbs.perform(call.string(at: 1) ?? "", on: view, call)
        }
        try functions.setValue(perform, forProperty: "perform")
        try functions.setValue(.number(Double(configuration.keptCells)), forProperty: "keptCells")
        try context.internals.setValue(functions, forProperty: "views")
        try context.internals.setValue(context.makeHandle(WeakSession(self)), forProperty: "viewSession")
        let script = bridge_script_views()
        try context.runInternalScript(bytes: script.bytes, count: script.count)
    }

    private func create(_ call: HostCall) throws -> ScriptCollectionView {
        let name = call.string(at: 1) ?? ""
        guard view(named: name) == nil else {
            throw BridgeError(
                .invalidArgument,
                "a collection view has the name '\(name)' already: close it, or give this one another name"
            )
        }
        guard views.count < configuration.maximumViews else {
            throw BridgeError(
                .limitExceeded,
                "\(views.count) collection views are open (limit \(configuration.maximumViews))"
            )
        }
        let view = try ScriptCollectionView(
            name: name,
            title: call.string(at: 2) ?? name,
            script: ScriptFunctions(call.jsValue(at: 0)),
            in: self
        )
        views.append(view)
        configuration.viewChanged?(name)
        return view
    }

    /// Forgets a view that was closed.
    func remove(_ view: ScriptCollectionView) { views.removeAll { $0 === view } }
}

/// The handle of a view that a script holds: the session retains open views, and no others.
private final class WeakView {
    private(set) weak var view: ScriptCollectionView?
    init(_ view: ScriptCollectionView) { self.view = view }
}

/// The handle of a session, by which its context finds it.
final class WeakSession {
    private(set) weak var session: ViewSession?
    init(_ session: ViewSession) { self.session = session }
}
