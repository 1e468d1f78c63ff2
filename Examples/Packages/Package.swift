// swift-tools-version: 6.2
import PackageDescription

// From the repository's root: swift run --package-path Examples/Packages
let package = Package(
    name: "Packages",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "Packages",
            dependencies: [.product(name: "JavaScriptBridge", package: "JavaScriptBridge")]
        )
    ]
)
