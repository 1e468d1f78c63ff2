// Exports everything except the traits for the test library, because a program without that library links only
// BridgeTestKit.
@_exported public import BridgeTestKit
