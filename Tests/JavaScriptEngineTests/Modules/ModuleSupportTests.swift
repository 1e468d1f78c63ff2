import Testing

@testable import JavaScriptEngine

/// The decision whether the engine's module loader is used.
@Suite struct ModuleSupportTests {
    @Test("modules are used only if setting, version and self-test allow it")
    func choosing() {
        func choose(_ setting: String?, _ version: String, fault: String? = nil) -> FeatureSupport {
            ModuleSupport.feature.decide(setting: setting, version: version) { fault }
        }
        #expect(choose("off", "2.50.6").reason == "JSBRIDGE_MODULES=off")
        #expect(choose("yes", "2.50.6").reason.contains("is not on, off or auto"))
        #expect(!choose(nil, "2.54.2").isAvailable)
        #expect(choose("on", "2.54.2").isAvailable)
        #expect(
            choose("on", "2.54.2", fault: "another layout").reason == """
                the self-test failed: another layout
                """
        )
        #expect(choose(nil, "2.50.6").isAvailable)
        #expect(choose(nil, "2.52.1").isAvailable)
    }

    @Test("the self-test is not run if modules are excluded anyway")
    func order() {
        _ = ModuleSupport.feature.decide(setting: "off", version: "2.50.6") {
            Issue.record("the self-test was run")
            return nil
        }
    }

    @Test("an import without support names the version and says to bundle")
    func message() {
        let error = ModuleSupport.error(for: FeatureSupport(isAvailable: false, reason: "a test"))
        #expect(error?.description.contains(Capabilities.current.engineVersion) == true)
        #expect(error?.description.contains("Bundle the modules") == true)
    }

    @Test("the loaded library passes the self-test", .enabled(if: ModuleSupport.current.isAvailable))
    func selfTest() { #expect(ModuleSupport.hooking.isAvailable && ModuleSelfTest.graphFault() == nil) }
}
