import Foundation
import JavaScriptBridge
import TestSupport

extension TemporaryFolder {
    /// Returns a module of the folder.
    func module(_ name: String) -> ScriptSource { .module(url.appending(path: name).path) }
}
