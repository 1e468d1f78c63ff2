// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "JavaScriptBridge",
    targets: [
        .systemLibrary(
            name: "CJavaScriptCore",
            pkgConfig: "javascriptcoregtk-4.1",
            providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]
        ),
        .target(name: "CJavaScriptCoreSPI", dependencies: ["CJavaScriptCore"]),
        .target(name: "CBridgeScript"),
        .target(name: "BridgeValues"),
        .target(
            name: "JavaScriptEngine",
            dependencies: ["BridgeValues", "CBridgeScript", "CJavaScriptCore", "CJavaScriptCoreSPI"]
        ),
        .target(name: "BridgeProtocol", dependencies: ["BridgeValues"]),
        .target(
            name: "JavaScriptBridge",
            dependencies: ["BridgeProtocol", "BridgeValues", "CBridgeScript", "JavaScriptEngine"]
        ),
        .target(name: "Stores", dependencies: ["BridgeValues"]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "StoresSQLite", dependencies: ["CSQLite", "Stores"]),
        .target(name: "DataSources", dependencies: ["Stores"]),
        .target(
            name: "DataBridging",
            dependencies: ["BridgeValues", "DataSources", "JavaScriptBridge", "Stores"]
        ),
        .testTarget(name: "JavaScriptEngineTests", dependencies: ["BridgeTesting", "JavaScriptEngine"]),
        .target(name: "BridgeTesting", dependencies: ["BridgeProtocol", "BridgeValues", "JavaScriptEngine"]),
        .testTarget(
            name: "DataBridgingTests",
            dependencies: [
                "BridgeTesting", "DataBridging", "DataSources", "JavaScriptBridge", "Stores", "StoresSQLite",
            ]
        ),
        .testTarget(name: "JavaScriptBridgeTests", dependencies: ["BridgeTesting", "JavaScriptBridge"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)

for target in package.targets
where [.regular, .executable, .test].contains(target.type) && !target.name.hasPrefix("C") {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}
