// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/Page
let package = Package(
    name: "Page",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "Page",
            dependencies: [.product(name: "JavaScriptBridge", package: "JavaScriptBridge")]
        )
    ]
)
