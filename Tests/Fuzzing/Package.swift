// swift-tools-version: 6.2
import PackageDescription

// A package of its own: a program with libFuzzer in it has no main function, so that a plain build of it fails.
// Scripts/fuzz builds it as it must be. The targets themselves are also part of the main package, whose tests run them
// on every input that was ever found.
let package = Package(
    name: "Fuzzing",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .target(
            name: "FuzzTargets",
            dependencies: [
                .product(name: "BridgeTesting", package: "JavaScriptBridge"),
                .product(name: "BridgeValues", package: "JavaScriptBridge"),
                .product(name: "DataSources", package: "JavaScriptBridge"),
                .product(name: "JavaScriptBridge", package: "JavaScriptBridge"),
                .product(name: "JavaScriptEngine", package: "JavaScriptBridge"),
            ]
        ),
        .executableTarget(
            name: "fuzz",
            dependencies: ["FuzzTargets"],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .treatAllWarnings(as: .error),
        ]
}
