// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/06-SharedQuery
let package = Package(
    name: "SharedQuery",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "SharedQuery",
            dependencies: [
                .product(name: "BridgeData", package: "JavaScriptBridge"),
                .product(name: "JavaScriptBridge", package: "JavaScriptBridge"),
                .product(name: "Stores", package: "JavaScriptBridge"),
                .product(name: "StoresSQLite", package: "JavaScriptBridge"),
            ]
        )
    ]
)
