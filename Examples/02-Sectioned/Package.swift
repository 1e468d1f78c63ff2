// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/02-Sectioned
let package = Package(
    name: "Sectioned",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "Sectioned",
            dependencies: [
                .product(name: "DataSources", package: "JavaScriptBridge")
            ]
        )
    ]
)
