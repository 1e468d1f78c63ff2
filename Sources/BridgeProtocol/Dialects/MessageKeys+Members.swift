extension MessageKeys {
    /// Returns the members of a request in the order in which they are written; a part that is `nil` leaves its member
    /// out.
    ///
    /// `omitsEmptyName` leaves out the empty name, which is the default handler's; `text` creates the part of a string.
    func request<Part>(
        _ name: String,
        data payload: Part?,
        callbackID id: String?,
        extensions: Part?,
        omitsEmptyName: Bool,
        text: (String) -> Part
    ) -> [(key: String, part: Part?)] {
        var members: [(key: String, part: Part?)] = []
        if let kind { members.append((kind.key, text(kind.request))) }
        if let namespace {
            let (space, method) = Self.split(name)
            members.append((namespace, text(space)))
            members.append((handlerName, text(method)))
        } else {
            members.append((handlerName, omitsEmptyName && name.isEmpty ? nil : text(name)))
        }
        members.append((data, payload))
        members.append((callbackID, id.map(text)))
        members.append(("x", extensions))
        return members
    }

    /// Returns the members of a response.
    func response<Part>(
        to id: String,
        data: Part?,
        extensions: Part? = nil,
        text: (String) -> Part
    ) -> [(key: String, part: Part?)] {
        var members: [(key: String, part: Part?)] = []
        if let kind { members.append((kind.key, text(kind.response))) }
        members.append((responseID, text(id)))
        members.append((responseData, data))
        members.append(("x", extensions))
        return members
    }

    /// Returns the name of a handler from its namespace and its method.
    static func joined(_ namespace: String?, _ method: String) -> String {
        guard let namespace, !namespace.isEmpty, namespace != defaultNamespace else { return method }
        return namespace + "." + method
    }

    private static func split(_ name: String) -> (namespace: String, method: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
            return (defaultNamespace, name)
        }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }
}
