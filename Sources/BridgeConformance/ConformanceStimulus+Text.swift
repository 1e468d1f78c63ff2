extension ConformanceStimulus: CustomStringConvertible {
    /// The stimulus in the words of the vectors' format.
    public var description: String {
        switch self {
        case .script(let text): "js \(Self.shown(text))"
        case .inject: "inject"
        case .deliver(let text): "deliver \(Self.shown(text))"
        case .turns(let count): "turns \(count.map(String.init) ?? "all")"
        case .advance(let milliseconds): "advance \(milliseconds) ms"
        case .fetch: "fetch"
        case .reload: "reload"
        case .register(let name, let behaviour): "register \(name), which does \(behaviour)"
        case .remove(let name): "remove \(name)"
        case .call(let name, let data, let callback):
            "call \(name)\(data == nil ? "" : " with data")\(callback.map { " and the callback \($0)" } ?? "")"
        case .peer(let text): "peer \(Self.shown(text))"
        case .reset: "reset"
        case .disableSafetyTimeout: "disableSafetyTimeout"
        case .enableLogging: "enableLogging"
        case .setLogMaxLength(let length): "setLogMaxLength \(length)"
        }
    }

    private static func shown(_ text: String) -> String {
        text.utf8.count <= 400 ? text : text.unicodeScalars.prefix(400).map(String.init).joined() + " ..."
    }
}
