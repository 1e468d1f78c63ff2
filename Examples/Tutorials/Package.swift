// swift-tools-version: 6.2
import PackageDescription

// The programs of the tutorials. From the repository's root: swift run --package-path Examples/Tutorials FirstPlugin
func product(_ name: String) -> Target.Dependency { .product(name: name, package: "JavaScriptBridge") }

let package = Package(
    name: "Tutorials",
    dependencies: [.package(name: "JavaScriptBridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "FirstPlugin",
            dependencies: [product("JavaScriptBridge")],
            path: "FirstPlugin/Sources"
        ),
        .executableTarget(
            name: "FollowingList",
            dependencies: [
                product("BridgeData"), product("DataSources"), product("JavaScriptBridge"),
                product("Stores"), product("StoresSQLite"),
            ],
            path: "FollowingList/Sources"
        ),
        .executableTarget(
            name: "LimitsAndGrants",
            dependencies: [
                product("BridgeData"), product("JavaScriptBridge"), product("Stores"),
                product("StoresSQLite"),
            ],
            path: "LimitsAndGrants/Sources"
        ),
        .executableTarget(
            name: "MoveFromWVJB",
            dependencies: [product("JavaScriptBridge")],
            path: "MoveFromWVJB/Sources"
        ),
    ]
)
