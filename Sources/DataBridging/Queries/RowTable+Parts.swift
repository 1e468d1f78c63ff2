internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension RowTable {
    /// Returns the table in the form that the package's script reads: the cells, the ends of the strings, all strings,
    /// the blocks of bytes, and the number of rows.
    func parts(in context: JSContext) throws -> [JSValue] {
        let cells = cells.withUnsafeBytes { Data($0) }
        let ends = ends.withUnsafeBytes { Data($0) }
        return [
            try JSTypedArray(of: .float64, data: cells, in: context).value,
            try JSTypedArray(of: .int32, data: ends, in: context).value,
            JSValue(units: text, in: context),
            blocks.isEmpty
                ? JSValue(undefinedIn: context) : try JSValue(.array(blocks.map(Value.bytes)), in: context),
            JSValue(double: Double(count), in: context),
        ]
    }
}
