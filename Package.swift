// swift-tools-version: 6.2
import PackageDescription

// Targets in the order of the package: each may import only those above it (Scripts/check-imports).
let package = Package(
    name: "JavaScriptBridge",
    products: [
        .library(name: "JavaScriptBridge", targets: ["JavaScriptBridge"]),
        .library(name: "JavaScriptEngine", targets: ["JavaScriptEngine"]),
        .library(name: "BridgeValues", targets: ["BridgeValues"]),
        .library(name: "BridgeJSON", targets: ["BridgeJSON"]),
        .library(name: "WebViewBridgeDialects", targets: ["WebViewBridgeDialects"]),
        .library(name: "Stores", targets: ["Stores"]),
        .library(name: "StoresSQLite", targets: ["StoresSQLite"]),
        .library(name: "DataSources", targets: ["DataSources"]),
        .library(name: "CollectionViews", targets: ["CollectionViews"]),
        .library(name: "TerminalViews", targets: ["TerminalViews"]),
        .library(name: "PageViews", targets: ["PageViews"]),
        .library(name: "BridgeData", targets: ["BridgeData"]),
        .library(name: "BridgeViews", targets: ["BridgeViews"]),
        .library(name: "ManagedObjects", targets: ["ManagedObjects"]),
        .library(name: "BridgeInspector", targets: ["BridgeInspector"]),
        .library(name: "BridgeTestKit", targets: ["BridgeTestKit"]),
        .library(name: "BridgeTesting", targets: ["BridgeTesting"]),
        .library(name: "BridgeConformance", targets: ["BridgeConformance"]),
        .executable(name: "jsbridge", targets: ["jsbridge"]),
    ],
    targets: [
        // The C interfaces of the engine, the database and the library of WebSockets, as Debian installs them.
        .systemLibrary(
            name: "CJavaScriptCore",
            pkgConfig: "javascriptcoregtk-4.1",
            providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]
        ),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CWebSockets",
            pkgConfig: "libwebsockets",
            providers: [.apt(["libwebsockets-dev"])]
        ),
        // Prototypes of exported functions that have no header.
        .target(name: "CJavaScriptCoreSPI", dependencies: ["CJavaScriptCore"]),
        // The package's own JavaScript, embedded from JS/bundles, which JS/src makes.
        .target(name: "CBridgeScript"),
        // The files of a page, embedded from JS/page and JS/bundles.
        .target(name: "CPageFiles"),
        // The vectors of the protocol, embedded from Tests/Conformance.
        .target(name: "CConformance"),

        // Counting the frames of a stack that can be read.
        .target(name: "CStackFrames"),
        // Opening files below a folder, for which the C library has no function.
        .target(name: "CFileAccess"),
        // Widths of code points and signal handlers, which Swift cannot have.
        .target(name: "CTerminal"),
        // Waiting for many sockets, for which Swift's module of the C library has no function.
        .target(name: "CServerSockets"),

        .target(name: "BridgeValues", dependencies: ["CFileAccess"]),
        .target(name: "BridgeJSON", dependencies: ["BridgeValues"]),
        .target(name: "BridgeSchemas", dependencies: ["BridgeValues"]),
        .target(
            name: "JavaScriptEngine",
            dependencies: [
                "BridgeJSON", "BridgeValues", "CBridgeScript", "CJavaScriptCore", "CJavaScriptCoreSPI",
            ]
        ),
        .target(name: "BridgeProtocol", dependencies: ["BridgeJSON", "BridgeValues"]),
        .target(name: "WebViewBridgeDialects", dependencies: ["BridgeProtocol"]),
        .target(
            name: "JavaScriptBridge",
            dependencies: [
                "BridgeJSON", "BridgeProtocol", "BridgeSchemas", "BridgeValues", "CBridgeScript",
                "JavaScriptEngine",
            ]
        ),
        .target(name: "BridgeInspector", dependencies: ["BridgeJSON", "BridgeValues", "JavaScriptEngine"]),
        .target(name: "Stores", dependencies: ["BridgeValues"]),
        .target(name: "ManagedObjects", dependencies: ["BridgeValues", "Stores"]),
        .target(name: "DataSources", dependencies: ["BridgeValues", "Stores"]),
        .target(name: "CollectionViews", dependencies: ["DataSources", "Stores"]),
        .target(
            name: "TerminalViews",
            dependencies: ["BridgeValues", "CTerminal", "CollectionViews", "DataSources", "Stores"]
        ),
        .target(
            name: "PageViews",
            dependencies: [
                "BridgeValues", "CPageFiles", "CServerSockets", "CWebSockets", "CollectionViews",
                "DataSources",
                "JavaScriptBridge", "Stores",
            ]
        ),
        .target(name: "StoresSQLite", dependencies: ["BridgeValues", "CSQLite", "Stores"]),
        .target(
            name: "BridgeData",
            dependencies: ["BridgeValues", "DataSources", "JavaScriptBridge", "Stores"]
        ),
        .target(
            name: "BridgeViews",
            dependencies: [
                "BridgeData", "BridgeValues", "CBridgeScript", "CollectionViews", "DataSources",
                "JavaScriptBridge", "JavaScriptEngine",
            ]
        ),
        .target(
            name: "BridgeTestKit",
            dependencies: [
                "BridgeProtocol", "BridgeValues", "CStackFrames", "JavaScriptBridge", "JavaScriptEngine",
            ]
        ),
        // The kit with the traits of the test library, which programs that use the kit must not need.
        .target(name: "BridgeTesting", dependencies: ["BridgeTestKit"]),
        .target(
            name: "BridgeConformance",
            dependencies: [
                "BridgeJSON", "BridgeProtocol", "BridgeValues", "CConformance", "JavaScriptBridge",
                "JavaScriptEngine", "WebViewBridgeDialects",
            ]
        ),
        .target(
            name: "BridgeCommands",
            dependencies: [
                "BridgeConformance", "BridgeData", "BridgeInspector", "BridgeJSON", "BridgeProtocol",
                "BridgeTestKit", "BridgeValues", "BridgeViews", "CollectionViews", "DataSources",
                "JavaScriptBridge",
                "JavaScriptEngine", "PageViews", "Stores", "StoresSQLite", "TerminalViews",
                "WebViewBridgeDialects",
            ]
        ),
        .executableTarget(name: "jsbridge", dependencies: ["BridgeCommands"]),
        // The program that README.md begins with; Examples/Hello is the same as a package of its own.
        .executableTarget(
            name: "HelloExample",
            dependencies: ["JavaScriptBridge"],
            path: "Examples/Hello/Sources/Hello"
        ),
        // Streams, events, progress, cancellation; Examples/Streams is the same as a package of its own.
        .executableTarget(
            name: "StreamsExample",
            dependencies: ["JavaScriptBridge"],
            path: "Examples/Streams/Sources/Streams"
        ),
        // A page of WebViewJavascriptBridge as it is; Examples/Page is the same as a package of its own.
        .executableTarget(
            name: "PageExample",
            dependencies: ["JavaScriptBridge"],
            path: "Examples/Page/Sources/Page"
        ),
        // Packages of Debian as they are; Examples/Packages is the same as a package of its own.
        .executableTarget(
            name: "PackagesExample",
            dependencies: ["JavaScriptBridge"],
            path: "Examples/Packages/Sources/Packages"
        ),
        // The engine alone; Examples/Engine is the same as a package of its own.
        .executableTarget(
            name: "EngineExample",
            dependencies: ["JavaScriptEngine"],
            path: "Examples/Engine/Sources/Engine"
        ),

        // Reference counts as Swift and a script see them; Examples/08-Lifetimes is the same as a package of its own.
        .executableTarget(
            name: "LifetimesExample",
            dependencies: ["BridgeValues", "JavaScriptEngine"],
            path: "Examples/08-Lifetimes/Sources/Lifetimes"
        ),
        // Data sources from Swift; each folder of Examples is the same as a package of its own.
        .executableTarget(
            name: "ListExample",
            dependencies: ["DataSources"],
            path: "Examples/01-List/Sources/List"
        ),
        .executableTarget(
            name: "SectionedExample",
            dependencies: ["DataSources"],
            path: "Examples/02-Sectioned/Sources/Sectioned"
        ),
        .executableTarget(
            name: "FetchedExample",
            dependencies: ["DataSources", "Stores", "StoresSQLite"],
            path: "Examples/03-Fetched/Sources/Fetched"
        ),
        .executableTarget(
            name: "ManagedStoreExample",
            dependencies: ["ManagedObjects", "Stores", "StoresSQLite"],
            path: "Examples/04-ManagedStore/Sources/ManagedStore"
        ),
        .executableTarget(
            name: "RestorationExample",
            dependencies: ["DataSources", "Stores", "StoresSQLite"],
            path: "Examples/05-Restoration/Sources/Restoration"
        ),
        .executableTarget(
            name: "SharedQueryExample",
            dependencies: ["BridgeData", "JavaScriptBridge", "Stores", "StoresSQLite"],
            path: "Examples/06-SharedQuery/Sources/SharedQuery"
        ),
        .executableTarget(
            name: "MillionRowsExample",
            dependencies: ["BridgeData", "DataSources", "JavaScriptBridge"],
            path: "Examples/07-MillionRows/Sources/MillionRows"
        ),
        // Collection views with the names of other libraries; Examples/Gallery is the same as a package of its own.
        .executableTarget(
            name: "GalleryExample",
            dependencies: [
                "BridgeViews", "CollectionViews", "DataSources", "JavaScriptBridge", "Stores", "StoresSQLite",
            ],
            path: "Examples/Gallery/Sources/Gallery"
        ),

        // The programs of the tutorials; Examples/Tutorials has the same as a package of its own.
        .executableTarget(
            name: "FirstPluginTutorial",
            dependencies: ["JavaScriptBridge"],
            path: "Examples/Tutorials/FirstPlugin/Sources"
        ),
        .executableTarget(
            name: "FollowingListTutorial",
            dependencies: ["BridgeData", "DataSources", "JavaScriptBridge", "Stores", "StoresSQLite"],
            path: "Examples/Tutorials/FollowingList/Sources"
        ),
        .executableTarget(
            name: "LimitsAndGrantsTutorial",
            dependencies: ["BridgeData", "JavaScriptBridge", "Stores", "StoresSQLite"],
            path: "Examples/Tutorials/LimitsAndGrants/Sources"
        ),
        .executableTarget(
            name: "MoveFromWVJBTutorial",
            dependencies: ["JavaScriptBridge"],
            path: "Examples/Tutorials/MoveFromWVJB/Sources"
        ),

        // What the thread sanitizer cannot see of Swift's Mutex, and signals that it holds back.
        .target(name: "CThreadSanitizer", path: "Tests/CThreadSanitizer"),
        // What malloc has handed out.
        .target(name: "CMemoryFigures", path: "Tests/CMemoryFigures"),
        // What several test targets share.
        .target(
            name: "TestSupport",
            dependencies: ["BridgeValues", "CThreadSanitizer", "JavaScriptEngine"],
            path: "Tests/TestSupport"
        ),
        .testTarget(
            name: "BridgeValuesTests",
            dependencies: ["BridgeJSON", "BridgeSchemas", "BridgeValues", "TestSupport"]
        ),
        .testTarget(
            name: "JavaScriptEngineTests",
            dependencies: [
                "BridgeJSON", "BridgeTesting", "BridgeValues", "CBridgeScript", "CJavaScriptCore",
                "CJavaScriptCoreSPI", "JavaScriptEngine", "TestSupport",
            ],
            // Read where they stand.
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "BridgeProtocolTests",
            dependencies: [
                "BridgeJSON", "BridgeProtocol", "BridgeValues", "TestSupport", "WebViewBridgeDialects",
            ]
        ),
        // A simulation that explores schedules of the session machine against a reference model.
        .target(
            name: "SessionSimulation",
            dependencies: ["BridgeProtocol", "BridgeValues"],
            path: "Tests/SessionSimulation"
        ),
        // The session machine with mutants in it, which the simulation must find. Its sources are generated from the
        // shipped ones.
        .executableTarget(name: "MutantGenerator", path: "Tests/MutantGenerator"),
        .plugin(name: "MutateSession", capability: .buildTool(), dependencies: ["MutantGenerator"]),
        .target(
            name: "MutatedSession",
            dependencies: ["BridgeJSON", "BridgeValues", "SessionSimulation"],
            path: "Tests/MutatedSession",
            exclude: ["README.md"],
            plugins: ["MutateSession"]
        ),
        .testTarget(
            name: "BridgeTestingTests",
            dependencies: [
                "BridgeJSON", "BridgeProtocol", "BridgeTestKit", "BridgeTesting", "BridgeValues",
                "JavaScriptBridge", "MutatedSession", "SessionSimulation", "TestSupport",
                "WebViewBridgeDialects",
            ]
        ),
        .testTarget(
            name: "JavaScriptBridgeTests",
            dependencies: [
                "BridgeConformance", "BridgeJSON", "BridgeProtocol", "BridgeTesting", "BridgeValues",
                "JavaScriptBridge", "JavaScriptEngine", "TestSupport", "WebViewBridgeDialects",
            ]
        ),
        .testTarget(
            name: "BridgeInspectorTests",
            dependencies: [
                "BridgeInspector", "BridgeTestKit", "BridgeValues", "CJavaScriptCoreSPI", "JavaScriptBridge",
                "JavaScriptEngine", "TestSupport",
            ]
        ),
        // By themselves, as their proof is built for release.
        .testTarget(
            name: "LoadTests",
            dependencies: [
                "BridgeConformance", "BridgeTesting", "BridgeValues", "CMemoryFigures", "JavaScriptBridge",
            ]
        ),
        // What the fuzzer runs (Tests/Fuzzing), here on what it has found.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "BridgeJSON", "BridgeProtocol", "BridgeValues", "DataSources", "JavaScriptBridge",
                "JavaScriptEngine", "SessionSimulation", "WebViewBridgeDialects",
            ],
            path: "Tests/Fuzzing/Sources/FuzzTargets"
        ),
        .testTarget(name: "FuzzingTests", dependencies: ["FuzzTargets"]),
        .testTarget(name: "StoresTests", dependencies: ["BridgeValues", "Stores", "TestSupport"]),
        // Shared by the tests of stores and of managed objects.
        .target(
            name: "StoreTestSupport",
            dependencies: ["Stores", "StoresSQLite"],
            path: "Tests/StoreTestSupport"
        ),
        .testTarget(
            name: "StoresSQLiteTests",
            dependencies: [
                "BridgeValues", "CSQLite", "StoreTestSupport", "Stores", "StoresSQLite", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ManagedObjectsTests",
            dependencies: [
                "BridgeValues", "CSQLite", "ManagedObjects", "StoreTestSupport", "Stores", "StoresSQLite",
                "TestSupport",
            ]
        ),
        // What tests start as another process that writes to their store.
        .executableTarget(
            name: "StoreWriter",
            dependencies: ["CSQLite", "Stores", "StoresSQLite", "TestSupport"],
            path: "Tests/StoreWriter"
        ),
        .testTarget(
            name: "DataSourcesTests",
            dependencies: [
                "BridgeValues", "CSQLite", "DataSources", "ManagedObjects", "StoreWriter", "Stores",
                "StoresSQLite", "TestSupport",
            ]
        ),
        .testTarget(
            name: "CollectionViewsTests",
            dependencies: ["CollectionViews", "DataSources", "TestSupport"]
        ),
        .testTarget(
            name: "TerminalViewsTests",
            dependencies: [
                "BridgeValues", "CTerminal", "CollectionViews", "DataSources", "Stores", "StoresSQLite",
                "TerminalViews", "TestSupport",
            ]
        ),
        .testTarget(
            name: "PageViewsTests",
            dependencies: [
                "BridgeValues", "CMemoryFigures", "CThreadSanitizer", "CollectionViews", "DataSources",
                "JavaScriptBridge", "PageViews", "TestSupport",
            ],
            exclude: ["Golden"]
        ),
        // Memory and files that fail under SQLite, in a process of their own.
        .target(name: "CStoreFaults", dependencies: ["CSQLite"], path: "Tests/CStoreFaults"),
        .testTarget(
            name: "StoreReliabilityTests",
            dependencies: [
                "CSQLite", "CStoreFaults", "DataSources", "Stores", "StoresSQLite", "TestSupport", "jsbridge",
            ]
        ),
        .testTarget(
            name: "BridgeDataTests",
            dependencies: [
                "BridgeData", "BridgeProtocol", "BridgeTesting", "BridgeValues", "CSQLite", "DataSources",
                "JavaScriptBridge", "JavaScriptEngine", "ManagedObjects", "Stores", "StoresSQLite",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "BridgeViewsTests",
            dependencies: [
                "BridgeData", "BridgeTesting", "BridgeValues", "BridgeViews", "CollectionViews",
                "DataSources",
                "JavaScriptBridge", "JavaScriptEngine", "Stores", "StoresSQLite", "TestSupport",
            ]
        ),
        .testTarget(
            name: "BridgeCommandsTests",
            dependencies: [
                "BridgeCommands", "BridgeConformance", "BridgeData", "BridgeInspector", "BridgeProtocol",
                "BridgeTesting",
                "BridgeValues", "BridgeViews",
                "CollectionViews", "DataSources", "EngineExample", "FetchedExample", "FirstPluginTutorial",
                "FollowingListTutorial", "GalleryExample",
                "HelloExample", "JavaScriptBridge", "JavaScriptEngine", "LifetimesExample",
                "LimitsAndGrantsTutorial",
                "ListExample", "ManagedStoreExample", "MillionRowsExample", "MoveFromWVJBTutorial",
                "PageExample", "PageViews", "RestorationExample", "SectionedExample", "SharedQueryExample",
                "Stores", "StoresSQLite", "StreamsExample", "TerminalViews", "TestSupport",
                "WebViewBridgeDialects", "jsbridge",
            ]
        ),
    ],
    swiftLanguageModes: [.v6],
    // For #embed.
    cLanguageStandard: .c2x
)

// Every target in C; CollectionViews begins with the same letter, but is not one of them.
let cTargets = Set(
    package.targets.map(\.name).filter { $0.hasPrefix("C") && !$0.hasPrefix("CollectionViews") }
)

for target in package.targets
where [.regular, .executable, .test].contains(target.type) && !cTargets.contains(target.name) {
    target.swiftSettings = [
        // `any` is spelled out, imports are internal unless they say otherwise, and a member is seen only
        // with its module: a file names everything that it depends on.
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}

// A slice of the suite under a sanitizer (Scripts/test --slice) builds nothing but its test targets and what they stand on.
if let named = Context.environment["JSBRIDGE_TEST_TARGETS"] {
    var wanted: Set<String> = []
    func want(_ name: String) {
        guard wanted.insert(name).inserted, let target = package.targets.first(where: { $0.name == name })
        else {
            return
        }
        for case .byNameItem(let name, _) in target.dependencies { want(name) }
        for case .plugin(let name, _) in target.plugins ?? [] { want(name) }
    }
    for name in named.split(separator: " ") { want(String(name)) }
    package.targets.removeAll { !wanted.contains($0.name) }
    package.products = []
}

// The fuzzer (Scripts/fuzz): a program without a main function, so that a plain build must not contain it.
if Context.environment["JSBRIDGE_FUZZER"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: ["FuzzTargets"],
            path: "Tests/Fuzzing/Sources/fuzz",
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]
        )
    )
}
