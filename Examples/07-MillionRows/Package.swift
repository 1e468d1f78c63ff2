// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/07-MillionRows
let package = Package(
    name: "MillionRows",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "MillionRows",
            dependencies: [
                .product(name: "BridgeData", package: "JavaScriptBridge"),
                .product(name: "DataSources", package: "JavaScriptBridge"),
                .product(name: "JavaScriptBridge", package: "JavaScriptBridge"),
            ]
        )
    ]
)
