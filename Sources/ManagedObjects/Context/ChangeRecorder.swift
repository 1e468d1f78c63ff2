/// The recording of the change in progress, whose steps become one step of the undo history.
///
/// Changes nest: the outermost one is the step.
struct ChangeRecorder {
    /// The history that gets the steps; `nil` records no history.
    var history: UndoHistory?
    /// The steps of the change in progress; empty if there is none.
    private(set) var steps: [ContextChange] = []
    private var depth = 0

    /// A Boolean value that indicates whether a change is in progress.
    var isRecording: Bool { depth > 0 }

    /// Begins a change.
    ///
    /// - Returns: The number of steps before it.
    mutating func begin() -> Int {
        depth += 1
        return steps.count
    }

    /// Ends the change that began last.
    ///
    /// - Returns: Whether it was the outermost one, whose steps are now in the history.
    mutating func end() -> Bool {
        depth -= 1
        guard depth == 0 else { return false }
        history?.register(steps)
        steps = []
        return true
    }

    /// Adds a step.
    mutating func append(_ step: ContextChange) { steps.append(step) }

    /// Removes the steps since a number of them.
    mutating func removeSteps(from mark: Int) { steps.removeLast(steps.count - mark) }

    /// Forgets steps that were carried out outside a change, and belong to none.
    mutating func dropStraySteps() { if !isRecording { steps = [] } }
}
