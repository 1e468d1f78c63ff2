// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/08-Lifetimes
let package = Package(
    name: "Lifetimes",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "Lifetimes",
            dependencies: [
                .product(name: "BridgeValues", package: "JavaScriptBridge"),
                .product(name: "JavaScriptEngine", package: "JavaScriptBridge"),
            ]
        )
    ]
)
