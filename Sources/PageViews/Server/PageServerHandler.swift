/// What a program does with the connections of a page server.
///
/// The server calls it on its own thread, and serves no other connection meanwhile. A method that takes long must
/// therefore hand the work to another thread. The calls for one connection are in order: opened, messages, closed.
public protocol PageServerHandler: AnyObject, Sendable {
    /// A page has opened a WebSocket and shown the token.
    func connectionOpened(_ connection: PageConnection)

    /// A page has sent a message.
    func connection(_ connection: PageConnection, received text: String)

    /// The socket has taken all that waited, and takes more.
    ///
    /// A program that makes its next message here, of its newest state, never fills the budget of a slow page.
    func connectionDrained(_ connection: PageConnection)

    /// A connection has ended. It is called once for each connection that was opened.
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
