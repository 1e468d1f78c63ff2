internal import DataSources

/// The interactions of the user with the items of a view that are in progress.
struct InteractionState {
    /// The interactive movement in progress.
    var movement: ReorderSession?
    /// A movement that has ended, and that the data source will report.
    var unreported: ReorderSession?
}
