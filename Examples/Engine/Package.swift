// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/Engine
let package = Package(
    name: "Engine",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "Engine",
            dependencies: [.product(name: "JavaScriptEngine", package: "JavaScriptBridge")]
        )
    ]
)
