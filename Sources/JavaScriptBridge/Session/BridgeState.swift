/// Where a bridge is in its life.
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
    /// There is no other side yet: a page that brings its own has not been loaded.
    ///
    /// Messages wait in the start-up queue.
    case idle
    /// The script's side is in its place, and no script has run.
    ///
    /// Messages wait in the start-up queue.
    case injected
    /// Messages cross.
    case live
    /// The context is being replaced: messages wait for the next one.
    case tearingDown
    /// Nothing runs any more: the bridge was closed, or its script was stopped under limits that retire contexts,
    /// after which ``Bridge/reload(rerunningScripts:)`` makes it live again.
    case dead
}
