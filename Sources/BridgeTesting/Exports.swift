// Everything but the traits of the test library, which a program without that library uses by itself.
@_exported public import BridgeTestKit
