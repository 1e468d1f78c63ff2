internal import CollectionViews
internal import DataSources

/// The state of the page after all updates so far.
struct SentState {
    /// The number of the last update.
    var sequence = 0
    /// The last frame; `nil` before the first.
    var frame: ViewFrame?
    /// The distances by which the content can be scrolled beyond its start and its end.
    var inset = (before: 0.0, after: 0.0)
    /// The looks of the elements, by the numbers of the views.
    var looks: [Int: ElementLook] = [:]
    /// The numbers of the views in the order of rows.
    var order: [Int] = []
    /// The number of the element with the focus.
    var active: Int?
    var info: PageInfo?
    /// The number of the row with the focus, the number of rows, of marked rows, and of those that are not shown; empty
    /// before the first update.
    var counts: [Int] = []
    var charts: [BarChart] = []
    /// The number of marked rows, as the view counts them.
    var marks = (count: 0, isOfUnselectedItems: false)
    /// The number of reloads of the view, which no animation shows.
    var reloads = 0
    /// The paths of the elements, by the numbers of the views.
    var paths: [Int: ItemPath] = [:]
    /// The identities of the items, by the numbers of the views, as far as the data source has them.
    var identities: [Int: String] = [:]
    /// The update from which on each view displays its present item.
    var firstUpdates: [Int: Int] = [:]
    /// The last update that the page had applied when it sent inputs, which it says when it changes; `nil` if it never has.
    var seen: Int?
    /// The update to which the numbers of views refer in what is being applied or answered; `nil` for the last one.
    var reference: Int?

    /// Returns whether the marks of a view were sent.
    func hasMarks(of view: CollectionView) -> Bool { view.markCount == marks }
}
