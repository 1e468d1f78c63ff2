// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/01-List
let package = Package(
    name: "List",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "List",
            dependencies: [
                .product(name: "DataSources", package: "JavaScriptBridge")
            ]
        )
    ]
)
