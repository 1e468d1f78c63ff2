/// The scripts and pages of the current context.
struct LoadedContent {
    /// The condition for sending the calls that wait for a page.
    var start = StartCondition()
    /// The scripts that were loaded, for a reload that runs them again.
    var scripts = LoadedScripts()
}
