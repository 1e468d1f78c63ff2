// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/05-Restoration
let package = Package(
    name: "Restoration",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "Restoration",
            dependencies: [
                .product(name: "DataSources", package: "JavaScriptBridge"),
                .product(name: "Stores", package: "JavaScriptBridge"),
                .product(name: "StoresSQLite", package: "JavaScriptBridge"),
            ]
        )
    ]
)
