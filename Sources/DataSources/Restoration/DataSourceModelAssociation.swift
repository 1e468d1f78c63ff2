public import Foundation

/// A data source that can name its elements beyond the end of the process, and find them again.
///
/// An identifier must not be transient: two objects for one datum give one text. Without this a source's views
/// are not restored.
public protocol DataSourceModelAssociation: AnyObject {
    /// The identifier of the element at a path, or `nil` where there is no element or none that lasts.
    func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String?

    /// The path of the element with an identifier, or `nil` where it is not found.
    func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath?
}

/// What restoration asks of a view, whatever draws it: where rows stand along the scroll direction.
///
/// All lengths are in the view's own unit: points, pixels, or lines of a terminal.
public protocol RestorableView {
    /// How far the content is scrolled.
    var contentOffset: Double { get }
    /// How long the whole content is.
    var contentLength: Double { get }
    /// How much of it is seen at once.
    var viewportLength: Double { get }
    /// The paths of the rows that are seen, also in part, from the first on.
    var visibleIndexPaths: [IndexPath] { get }

    /// The first of the seen rows that satisfies a condition, which is asked of a number of rows at most.
    ///
    /// A view that can find its seen rows one by one implements this, so that no path is made for rows that are not
    /// looked at: the default goes over ``visibleIndexPaths``.
    func firstVisibleIndexPath(limit: Int, where condition: (IndexPath) -> Bool) -> IndexPath?

    /// Where a row stands in the content, or `nil` where there is none.
    func position(of indexPath: IndexPath) -> Range<Double>?
}

extension RestorableView {
    /// The first of ``visibleIndexPaths`` that satisfies a condition.
    public func firstVisibleIndexPath(limit: Int, where condition: (IndexPath) -> Bool) -> IndexPath? {
        visibleIndexPaths.prefix(max(0, limit)).first(where: condition)
    }

    /// An offset that the view can be scrolled to, as near as possible to a given one.
    func clamped(_ offset: Double) -> Double { min(max(0, offset), max(0, contentLength - viewportLength)) }
}

/// An identity that can be written down and read back.
public protocol ModelIdentity: Hashable {
    /// The identity as text: the same for the same datum in every process.
    var modelIdentifier: String { get }

    /// Reads an identity, or gives `nil` for text that is none.
    init?(modelIdentifier: String)
}

extension String: ModelIdentity {
    /// The text itself.
    public var modelIdentifier: String { self }

    /// Takes the text itself.
    public init?(modelIdentifier: String) { self = modelIdentifier }
}

extension Int: ModelIdentity {
    /// The number in digits.
    public var modelIdentifier: String { String(self) }

    /// Reads digits, as they are written.
    public init?(modelIdentifier: String) {
        guard let number = Int(modelIdentifier), String(number) == modelIdentifier else { return nil }
        self = number
    }
}

extension UUID: ModelIdentity {
    /// The usual text.
    public var modelIdentifier: String { uuidString }

    /// Reads the usual text.
    public init?(modelIdentifier: String) { self.init(uuidString: modelIdentifier) }
}
