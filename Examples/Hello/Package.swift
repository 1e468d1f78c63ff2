// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/Hello
let package = Package(
    name: "Hello",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "Hello",
            dependencies: [.product(name: "JavaScriptBridge", package: "JavaScriptBridge")]
        )
    ]
)
