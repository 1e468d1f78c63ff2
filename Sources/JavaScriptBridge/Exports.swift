@_exported public import BridgeValues
@_exported public import JavaScriptEngine

// A file that imports the bridge gets the names of the engine and the values too.
@_exported public import struct BridgeProtocol.BridgeDialect
@_exported public import struct BridgeProtocol.BridgeTrace
@_exported public import struct BridgeProtocol.Journal
@_exported public import enum BridgeProtocol.JournalEntry
@_exported public import struct BridgeProtocol.JournalHeader
@_exported public import struct BridgeProtocol.JournalMessage
@_exported public import enum BridgeProtocol.JournalOutcome
@_exported public import struct BridgeProtocol.LatencyHistogram
@_exported public import struct BridgeProtocol.MessageKeys
@_exported public import struct BridgeProtocol.TraceDepths
@_exported public import struct BridgeProtocol.TraceEvent
@_exported public import enum BridgeProtocol.TraceFormat
@_exported public import enum BridgeProtocol.TraceLevel
@_exported public import struct BridgeProtocol.TraceStatistics
@_exported public import struct BridgeProtocol.TraceWriter
