/// What sees what is done to a context, where its turns run, just before it is done.
package protocol ContextObserver: AnyObject {
    /// A script is evaluated.
    func willEvaluate(_ script: String, sourceURL: String?, startingLine: Int)
    /// It has been, or it has thrown.
    func didEvaluate(_ result: Result<JSValue, JSException>)
    /// What promises wait for is run.
    func willRunMicrotasks()
    /// A turn begins that is no part of another.
    func willBeginTurn()
    /// It has ended, with what it left for its end.
    func didEndTurn()
    /// A timer fires.
    func willFireTimer(_ id: Int)
}
