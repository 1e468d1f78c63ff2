extension PageConnection: PageSocket {}

extension PageHost: PageServerHandler {
    /// Begins with a connection.
    public func connectionOpened(_ connection: PageConnection) { opened(connection) }

    /// Passes a message of the page on.
    public func connection(_ connection: PageConnection, received text: String) {
        received(text, from: connection)
    }

    /// Ends with a connection.
    public func connection(_ connection: PageConnection, closed closure: PageClosure) {
        closed(connection, reason: closure.description)
    }
}
