public import Foundation

/// A data source that can identify its elements beyond the end of the process, and find them again.
///
/// An identifier must not be transient: two objects for the same datum have the same string. Views of a source without
/// this conformance are not restored.
public protocol DataSourceModelAssociation: AnyObject {
    /// Returns the identifier of the element at a path, or `nil` without an element or a lasting identifier.
    func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String?

    /// Returns the path of the element with an identifier, or `nil` if it is not found.
    func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath?
}

/// A view as restoration sees it: the positions of rows along the scroll direction.
///
/// All lengths are in the view's own unit: points, pixels, or lines of a terminal.
public protocol RestorableView {
    /// The position in the content at which the viewport begins.
    var contentOffset: Double { get }
    /// The length of the whole content.
    var contentLength: Double { get }
    /// The length of the visible part.
    var viewportLength: Double { get }
    /// The paths of the visible rows, including partly visible ones, from the first on.
    var visibleIndexPaths: [IndexPath] { get }

    /// Returns the first visible row that satisfies a condition, which is called for at most `limit` rows.
    ///
    /// A view that can find its visible rows one by one implements this method, so that no path is created for rows
    /// that are not examined. The default uses ``visibleIndexPaths``.
    func firstVisibleIndexPath(limit: Int, where condition: (IndexPath) -> Bool) -> IndexPath?

    /// Returns the range of a row in the content, or `nil` for a path out of range.
    func position(of indexPath: IndexPath) -> Range<Double>?
}

extension RestorableView {
    /// Returns the first of ``visibleIndexPaths`` that satisfies a condition.
    public func firstVisibleIndexPath(limit: Int, where condition: (IndexPath) -> Bool) -> IndexPath? {
        visibleIndexPaths.prefix(max(0, limit)).first(where: condition)
    }

    /// Returns the offset that the view can be scrolled to and that is nearest to a given one.
    func clamped(_ offset: Double) -> Double { min(max(0, offset), max(0, contentLength - viewportLength)) }
}

/// An identity that has a string form.
public protocol ModelIdentity: Hashable {
    /// The identity as a string, the same for the same datum in every process.
    var modelIdentifier: String { get }

    /// Creates an identity from a string, or returns `nil` if the string does not represent one.
    init?(modelIdentifier: String)
}

extension String: ModelIdentity {
    /// The string itself.
    public var modelIdentifier: String { self }

    /// Creates an identity from the string itself.
    public init?(modelIdentifier: String) { self = modelIdentifier }
}

extension Int: ModelIdentity {
    /// The number in decimal digits.
    public var modelIdentifier: String { String(self) }

    /// Creates a number from its decimal digits, only in the form of ``modelIdentifier``.
    public init?(modelIdentifier: String) {
        guard let number = Int(modelIdentifier), String(number) == modelIdentifier else { return nil }
        self = number
    }
}

extension UUID: ModelIdentity {
    /// The UUID string.
    public var modelIdentifier: String { uuidString }

    /// Creates a UUID from its string.
    public init?(modelIdentifier: String) { self.init(uuidString: modelIdentifier) }
}
