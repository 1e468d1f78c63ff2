import CJavaScriptCoreSPI
import Testing

@testable import JavaScriptEngine

/// The decision whether the engine's parser of URLs is used, and the self-test of its layout.
@Suite struct URLSupportTests {
    @Test("URL is used only if setting, version and self-test allow it")
    func choosing() {
        func decide(_ setting: String?, _ version: String, fault: String? = nil) -> FeatureSupport {
            URLSupport.feature.decide(setting: setting, version: version) { fault }
        }
        #expect(decide("off", "2.50.6").reason == "JSBRIDGE_URL=off")
        #expect(decide("yes", "2.50.6").reason.contains("is not on, off or auto"))
        #expect(!decide(nil, "2.56.0").isAvailable)
        #expect(decide("on", "2.56.0").isAvailable)
        #expect(!decide("on", "2.56.0", fault: "a URL has other bits").isAvailable)
        #expect(decide(nil, "2.54.2").isAvailable)
    }

    @Test("where URL is not available, its error names the version of the library")
    func problem() {
        let support = FeatureSupport(isAvailable: false, reason: "a test")
        #expect(URLSupport.problem(with: support)?.contains(Capabilities.current.engineVersion) == true)
        #expect(URLSupport.problem(with: FeatureSupport(isAvailable: true, reason: "a test")) == nil)
    }

    @Test("the loaded library passes the self-test", .enabled(if: URLSupport.current.isAvailable))
    func selfTest() { #expect(URLSupport.fault() == nil) }

    @Test(
        "WA4 a URL that differs in any byte is refused without reading an invalid address",
        .enabled(if: URLSupport.current.isAvailable)
    )
    func mutants() {
        let size = Int(JSB_URL_IMAGE_SIZE)
        let image = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
        defer { image.deallocate() }
        jsb_make_url_image(image.baseAddress)
        let original = Array(image)
        #expect(jsb_compare_url_image(image.baseAddress) == nil)
        for index in 0..<size {
            for bit in 0..<8 {
                image[index] = original[index] ^ 1 << bit
                #expect(jsb_compare_url_image(image.baseAddress) != nil, "bit \(bit) of byte \(index)")
            }
            image[index] = original[index]
        }
        #expect(jsb_compare_url_image(image.baseAddress) == nil)
        jsb_destroy_url_image(image.baseAddress)
    }
}
