/// A state in the life of a bridge.
///
/// ```text
///            injects its script           first script was run
///   idle ───────────────────────▶ injected ───────────────────▶ live
///    ▲                                │                           │
///    │ the old context is gone        │ reload()                  │ reload()
///    └───────────────────────── tearingDown ◀─────────────────────┘
///                                     ▲
///                    reload(), unless │
///                    it was closed    │
///   close(), or the script was stopped for good ─────────────▶ dead
/// ```
public enum BridgeState: String, Sendable, Hashable, CaseIterable {
    /// The other side is not connected yet: a page that brings its own side has not been loaded.
    ///
    /// Messages wait in the start-up queue.
    case idle
    /// The script's side is installed, and no script has run.
    ///
    /// Messages wait in the start-up queue.
    case injected
    /// Messages cross.
    case live
    /// The context is being replaced: messages wait for the next one.
    case tearingDown
    /// Nothing runs any more: the bridge was closed, or its script was stopped under limits that retire contexts.
    ///
    /// In the latter case ``Bridge/reload(rerunningScripts:)`` makes it live again.
    case dead
}
