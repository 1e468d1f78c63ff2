@_exported public import BridgeValues
@_exported public import JavaScriptEngine

// Whoever imports the bridge has the engine's names and the values with it.
@_exported public import struct BridgeProtocol.BridgeDialect
@_exported public import struct BridgeProtocol.BridgeTrace
@_exported public import struct BridgeProtocol.MessageKeys
