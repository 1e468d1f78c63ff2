// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/Gallery
let package = Package(
    name: "Gallery",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "Gallery",
            dependencies: [
                .product(name: "BridgeViews", package: "JavaScriptBridge"),
                .product(name: "CollectionViews", package: "JavaScriptBridge"),
                .product(name: "DataSources", package: "JavaScriptBridge"),
                .product(name: "JavaScriptBridge", package: "JavaScriptBridge"),
                .product(name: "Stores", package: "JavaScriptBridge"),
                .product(name: "StoresSQLite", package: "JavaScriptBridge"),
            ]
        )
    ]
)
