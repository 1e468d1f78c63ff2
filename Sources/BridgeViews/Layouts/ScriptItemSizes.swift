internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation

/// The sizes of the items of a flow layout, which a script gives by `sizeForItemAt`.
final class ScriptItemSizes: FlowLayoutDelegate {
    /// A closure that is called with an error of the script; the item then has the size of the layout.
    var failed: (any Error) -> Void = { _ in }
    private let script: ScriptFunctions
    private let unit: ViewUnit

    init(_ script: ScriptFunctions, _ unit: ViewUnit) {
        self.script = script
        self.unit = unit
    }

    func flowLayout(_ layout: FlowLayout, sizeForItemAt indexPath: IndexPath) -> Size? {
        do {
            let answer = try script.askForFrame("size", .index(indexPath.section), .index(indexPath.item))
            let size = Size(width: answer[0].doubleValue ?? .nan, height: answer[1].doubleValue ?? .nan)
            try ScriptLayouts.require(size, atLeast: unit, "sizeForItemAt")
            guard size.width <= 1e9, size.height <= 1e9 else {
                throw BridgeError(.invalidArgument, "sizeForItemAt of a layout is at most 1,000,000,000")
            }
            return size
        } catch {
            failed(error)
            // Not nil, which for the first item would be the answer for all.
            return layout.itemSize
        }
    }
}
