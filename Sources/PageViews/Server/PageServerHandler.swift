/// A handler of the connections of a page server.
///
/// The server calls it on its own thread, and serves no other connection meanwhile. A method that takes long must
/// therefore hand the work to another thread. The calls for one connection are in order: opened, messages, closed.
public protocol PageServerHandler: AnyObject, Sendable {
    /// Handles a WebSocket that a page has opened, showing the token.
    func connectionOpened(_ connection: PageConnection)

    /// Handles a message of a page.
    func connection(_ connection: PageConnection, received text: String)

    /// Handles that the socket has taken all that waited, and takes more.
    ///
    /// A program that makes its next message here, of its newest state, never fills the budget of a slow page.
    func connectionDrained(_ connection: PageConnection)

    /// Handles the end of a connection.
    ///
    /// It is called once for each connection that was opened.
    func connection(_ connection: PageConnection, closed closure: PageClosure)
}

extension PageServerHandler {
    /// Does nothing.
    public func connectionOpened(_ connection: PageConnection) {}
    /// Does nothing.
    public func connectionDrained(_ connection: PageConnection) {}
    /// Does nothing.
    public func connection(_ connection: PageConnection, closed closure: PageClosure) {}
}
