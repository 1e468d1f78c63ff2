/// The task of an asynchronous handler, as it finds itself.
///
/// A task that begins in the turn of its request has no other name before its first suspension. Any thread may cancel
/// it.
// @unchecked Sendable because `cancel` is the only use: of all that an `UnsafeCurrentTask` has, other tasks may use what
// `Task` has too. The documentation leaves open what a reference does that outlives its closure. In Swift 6.3 it is a
// counted reference of the task, as `Task` is, and a test cancels one whose task has ended.
struct HandlerTask: @unchecked Sendable {
    private let task: UnsafeCurrentTask

    /// The current task; `nil` outside a task.
    static var current: HandlerTask? { withUnsafeCurrentTask { task in task.map(HandlerTask.init) } }

    private init(_ task: UnsafeCurrentTask) { self.task = task }

    /// Cancels the task; has no effect on one that has ended.
    func cancel() { task.cancel() }
}
