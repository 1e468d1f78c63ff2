// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/03-Fetched
let package = Package(
    name: "Fetched",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "Fetched",
            dependencies: [
                .product(name: "DataSources", package: "JavaScriptBridge"),
                .product(name: "Stores", package: "JavaScriptBridge"),
                .product(name: "StoresSQLite", package: "JavaScriptBridge"),
            ]
        )
    ]
)
