/// A view of a collection view that is used for one element after another.
open class ReusableView {
    /// The identifier of its reuse queue; `nil` if the view was not dequeued.
    public internal(set) var reuseIdentifier: String?
    /// The number of the view, by which frames identify it.
    public internal(set) var viewNumber = 0
    // The registration that created the view, and whether it waits in its queue.
    var registration = 0
    var isWaiting = false
    /// The attributes of the element that it displays; `nil` while it waits in a queue.
    public internal(set) var layoutAttributes: LayoutAttributes?
    /// The content that renderers draw.
    public var content = CellContent() { didSet { contentVersion += 1 } }
    /// The number of changes of the content so far.
    package private(set) var contentVersion = 0

    /// Creates a view.
    public required init() {}

    /// Resets the view before it is used for another element.
    ///
    /// An override calls `super`, which empties the content.
    open func prepareForReuse() { content = CellContent() }

    /// Adopts attributes, which differ from the ones before.
    open func apply(_ layoutAttributes: LayoutAttributes) {}

    /// Prepares for a new layout of the collection view, which displays the view at present; does nothing by default.
    open func willTransition(from oldLayout: CollectionLayout, to newLayout: CollectionLayout) {}

    /// Adopts a new layout, after the layout pass that shows it, if it still displays the view; does nothing by default.
    open func didTransition(from oldLayout: CollectionLayout, to newLayout: CollectionLayout) {}

    /// Returns the attributes that fit the content; by default the given ones.
    ///
    /// A list uses the length of the returned frame.
    open func preferredLayoutAttributesFitting(_ layoutAttributes: LayoutAttributes) -> LayoutAttributes {
        layoutAttributes
    }
}

/// The state of an item that its cell may show.
public struct CellConfigurationState: Sendable, Hashable {
    /// A Boolean value that indicates whether the item is selected.
    public var isSelected = false
    /// A Boolean value that indicates whether the item has the focus.
    public var isFocused = false
    /// A Boolean value that indicates whether the user presses the item.
    public var isHighlighted = false
    /// A Boolean value that indicates whether the item is edited.
    public var isEditing = false
    /// The part of the item in a drag.
    public var cellDragState = Cell.DragState.none

    /// Creates the state of an item that is neither selected nor focused, pressed, edited or dragged.
    public init() {}
}

/// A view that displays an item.
open class Cell: ReusableView {
    /// The state of the item.
    public internal(set) var configurationState = CellConfigurationState() {
        didSet {
            guard configurationState != oldValue else { return }
            if configurationState.cellDragState != oldValue.cellDragState {
                dragStateDidChange(configurationState.cellDragState)
            }
            updateConfiguration(using: configurationState)
        }
    }
    /// The part of an item in a drag.
    public enum DragState: Sendable, Hashable {
        /// The item is not dragged.
        case none
        /// The item is in the view while its data is dragged.
        case dragging
    }

    // The view that displays the cell, and whether its next pass updates the configuration.
    weak var owner: CollectionView?
    var needsUpdateConfiguration = false

    /// A closure that changes the content by the state of the item.
    ///
    /// It is called when the data source has returned the cell for an item, and each time the state changes.
    public var configurationUpdateHandler: ((_ cell: Cell, _ state: CellConfigurationState) -> Void)?

    /// A Boolean value that indicates whether the item is selected.
    public var isSelected: Bool { configurationState.isSelected }
    /// A Boolean value that indicates whether the item has the focus.
    public var isFocused: Bool { configurationState.isFocused }
    /// A Boolean value that indicates whether the user presses the item.
    public var isHighlighted: Bool { configurationState.isHighlighted }

    /// Changes the content by the state of the item; by default by ``configurationUpdateHandler``.
    open func updateConfiguration(using state: CellConfigurationState) {
        configurationUpdateHandler?(self, state)
    }

    /// Requests the content for the present state again, in the next layout pass, which measures the cell too.
    ///
    /// Several calls before the pass are one. A cell that displays no item ignores the call.
    public final func setNeedsUpdateConfiguration() {
        guard !needsUpdateConfiguration, let owner, layoutAttributes != nil else { return }
        needsUpdateConfiguration = true
        owner.updateConfiguration(of: self)
    }

    /// Adopts the part of the item in a drag; does nothing by default.
    open func dragStateDidChange(_ dragState: DragState) {}

    /// Resets the cell before it is used for another item.
    open override func prepareForReuse() {
        super.prepareForReuse()
        configurationUpdateHandler = nil
        configurationState = CellConfigurationState()
    }
}
