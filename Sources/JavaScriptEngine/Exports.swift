// Values and errors are of the room below, and what everyone meets who uses the engine.
@_exported public import BridgeValues
