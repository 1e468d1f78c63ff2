// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/Streams
let package = Package(
    name: "Streams",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "Streams",
            dependencies: [.product(name: "JavaScriptBridge", package: "JavaScriptBridge")]
        )
    ]
)
