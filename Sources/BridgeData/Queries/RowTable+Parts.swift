internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension RowTable {
    /// Returns the table as the package's script reads it: the cells, where each string ends, the texts that strings are
    /// cut out of, the blocks of bytes, and the number of rows.
    func parts(in context: JSContext) throws -> [JSValue] {
        let cells = cells.withUnsafeBytes { Data($0) }
        let (texts, ends) = try context.makePieces(of: text, ends: ends)
        return [
            try JSTypedArray(of: .float64, data: cells, in: context).value,
            try JSTypedArray(of: .int32, data: ends.withUnsafeBytes { Data($0) }, in: context).value,
            texts,
            blocks.isEmpty
                ? JSValue(undefinedIn: context) : try JSValue(.array(blocks.map(Value.bytes)), in: context),
            JSValue(double: Double(count), in: context),
        ]
    }
}
