/// An observer of a context.
///
/// It is called inside the context's turns, just before each action.
package protocol ContextObserver: AnyObject {
    /// Notifies the observer before a script is evaluated.
    func willEvaluate(_ script: String, sourceURL: String?, startingLine: Int)
    /// Notifies the observer after a script was evaluated or has thrown.
    func didEvaluate(_ result: Result<JSValue, JSException>)
    /// Notifies the observer before microtasks run.
    func willRunMicrotasks()
    /// Notifies the observer before a turn that is not part of another one.
    func willBeginTurn()
    /// Notifies the observer after the turn and its final work.
    func didEndTurn()
    /// Notifies the observer before a timer fires.
    func willFireTimer(_ id: Int)
}
