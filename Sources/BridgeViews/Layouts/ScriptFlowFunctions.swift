internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation

/// The sizes and distances of a flow layout that differ between items or sections, which a script gives by functions.
final class ScriptFlowFunctions: FlowLayoutDelegate {
    /// A closure that is called with an error of the script; the value of the layout is then used.
    var failed: (any Error) -> Void = { _ in }
    private let script: ScriptFunctions
    private let unit: ViewUnit
    /// The functions that the script has given.
    private let names: Set<String>

    init(_ script: ScriptFunctions, _ unit: ViewUnit) throws {
        self.script = script
        self.unit = unit
        names = Set(try script.ask("names").arrayValue?.compactMap(\.stringValue) ?? [])
    }

    func flowLayout(_ layout: FlowLayout, sizeForItemAt indexPath: IndexPath) -> Size? {
        guard names.contains("sizeForItemAt") else { return nil }
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

    func flowLayout(_ layout: FlowLayout, insetForSectionAt section: Int) -> EdgeInsets {
        lengths("insetForSectionAt", section, count: 4)
            .map { EdgeInsets(top: $0[0], left: $0[1], bottom: $0[2], right: $0[3]) } ?? layout.sectionInset
    }

    func flowLayout(_ layout: FlowLayout, minimumLineSpacingForSectionAt section: Int) -> Double {
        lengths("minimumLineSpacingForSectionAt", section, count: 1)?[0] ?? layout.minimumLineSpacing
    }

    func flowLayout(_ layout: FlowLayout, minimumInteritemSpacingForSectionAt section: Int) -> Double {
        lengths("minimumInteritemSpacingForSectionAt", section, count: 1)?[0]
            ?? layout.minimumInteritemSpacing
    }

    func flowLayout(_ layout: FlowLayout, referenceSizeForHeaderInSection section: Int) -> Size {
        lengths("referenceSizeForHeaderInSection", section, count: 2)
            .map { Size(width: $0[0], height: $0[1]) } ?? layout.headerReferenceSize
    }

    func flowLayout(_ layout: FlowLayout, referenceSizeForFooterInSection section: Int) -> Size {
        lengths("referenceSizeForFooterInSection", section, count: 2)
            .map { Size(width: $0[0], height: $0[1]) } ?? layout.footerReferenceSize
    }

    /// Returns the lengths that a function of the script gives for a section; `nil` without the function, or if it failed.
    private func lengths(_ name: String, _ section: Int, count: Int) -> [Double]? {
        guard names.contains(name) else { return nil }
        do {
            let answer = try script.askForFrame("lengths", .string(name), .index(section))
            let lengths = (0..<count).map { answer[$0].doubleValue ?? .nan }
            if let wrong = lengths.first(where: { !(0...1e9).contains($0) }) {
                throw BridgeError(
                    .invalidArgument,
                    "\(name) of a layout has lengths from 0 to 1,000,000,000, not \(wrong)"
                )
            }
            return lengths
        } catch {
            failed(error)
            return nil
        }
    }
}
