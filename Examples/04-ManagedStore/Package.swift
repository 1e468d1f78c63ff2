// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/04-ManagedStore
let package = Package(
    name: "ManagedStore",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "ManagedStore",
            dependencies: [
                .product(name: "ManagedObjects", package: "JavaScriptBridge"),
                .product(name: "Stores", package: "JavaScriptBridge"),
                .product(name: "StoresSQLite", package: "JavaScriptBridge"),
            ]
        )
    ]
)
