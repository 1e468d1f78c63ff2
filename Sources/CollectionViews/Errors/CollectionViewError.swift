/// The reason why a view could not be laid out, or an update was rejected.
public struct CollectionViewError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A data source returned a negative number of sections or items, or one that does not fit into 32 bits.
        case invalidCount
        /// A layout or a cell returned attributes with NaN, a negative size, or an element that does not exist.
        case invalidAttributes
        /// A reuse identifier was not registered.
        case unregisteredIdentifier
        /// A registration was created while a view was requested, so that it could reuse no view.
        case registrationInProvider
        /// A data source returned a view that is displayed elsewhere.
        case viewInUse
        /// A data source returned another cell for an item that was reconfigured.
        case reconfiguredCellReplaced
        /// An index path does not exist.
        case indexPathOutOfRange
        /// A layout still changed after 100,000 measurements in one pass, or callbacks changed the view without end.
        case layoutDoesNotSettle
        /// A reload was requested while placeholders of a drop are shown.
        case uncommittedUpdates
        /// A callback of the view called a method that changes the view or lays it out.
        case calledFromCallback
        /// The user may not select several items, or more than the delegate is asked about at a time.
        case selectionNotAllowed
    }

    /// The kind of the error.
    public let code: Code
    /// A sentence that says what is wrong, with the values.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
