// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of JavaScriptBridge never build it. The dependency has an explicit name:
// otherwise its name would be that of the folder that the repository was cloned into, which can be any.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        // The plain work has an import of its own: none of it runs through the measured target.
        .systemLibrary(
            name: "CBenchJavaScriptCore",
            pkgConfig: "javascriptcoregtk-4.1",
            providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]
        ),
        .systemLibrary(name: "CBenchSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // A plain program in C that draws a table with ncursesw, and terminals to draw into.
        .systemLibrary(name: "CNcurses", pkgConfig: "ncursesw", providers: [.apt(["libncurses-dev"])]),
        .target(name: "CBenchCurses", dependencies: ["CNcurses"]),
        // What malloc has handed out.
        .target(name: "CBenchMemory"),
        .target(name: "BenchmarkHarness"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "BenchmarkHarness",
                "CBenchCurses",
                "CBenchJavaScriptCore",
                "CBenchMemory",
                "CBenchSQLite",
                .product(name: "BridgeJSON", package: "JavaScriptBridge"),
                .product(name: "BridgeValues", package: "JavaScriptBridge"),
                .product(name: "BridgeData", package: "JavaScriptBridge"),
                .product(name: "CollectionViews", package: "JavaScriptBridge"),
                .product(name: "DataSources", package: "JavaScriptBridge"),
                .product(name: "JavaScriptEngine", package: "JavaScriptBridge"),
                .product(name: "JavaScriptBridge", package: "JavaScriptBridge"),
                .product(name: "ManagedObjects", package: "JavaScriptBridge"),
                .product(name: "PageViews", package: "JavaScriptBridge"),
                .product(name: "Stores", package: "JavaScriptBridge"),
                .product(name: "StoresSQLite", package: "JavaScriptBridge"),
                .product(name: "TerminalViews", package: "JavaScriptBridge"),
            ]
        ),
        .testTarget(name: "BenchmarkHarnessTests", dependencies: ["BenchmarkHarness"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && !target.name.hasPrefix("CBench") {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}
