import Testing

/// Scripts at their limits, one after another: each uses a thread of the shared pool until it is stopped, and the
/// other tests need one too.
@Suite(.serialized) enum LimitTests {}
