import Testing

/// Scripts at their limits, one after another: each keeps a thread of the shared pool busy until it is stopped, and the
/// other tests need one too.
@Suite(.serialized) enum LimitTests {}
