internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation

// Geometry, attributes and counters as scripts write them.

extension Size {
    var value: Value { ["width": .number(width), "height": .number(height)] }
}

extension Rect {
    var value: Value {
        [
            "x": .number(origin.x), "y": .number(origin.y), "width": .number(size.width),
            "height": .number(size.height),
        ]
    }
}

extension Point {
    var value: Value { ["x": .number(x), "y": .number(y)] }
}

extension EdgeInsets {
    var value: Value {
        ["top": .number(top), "left": .number(left), "bottom": .number(bottom), "right": .number(right)]
    }
}

extension IndexPath {
    /// The path as scripts write it.
    var value: Value { ["section": .index(section), "item": .index(item)] }

    /// Creates the path of a record `[section, item]` of the script's side; `nil` for none.
    init?(script record: Value?) {
        guard let section = record?[0].index, let item = record?[1].index else { return nil }
        self.init(item: item, section: section)
    }
}

extension LayoutAttributes {
    var value: Value {
        var result: ValueObject = [
            "indexPath": indexPath.value, "frame": frame.value, "zIndex": .index(zIndex),
            "alpha": .number(alpha), "isHidden": .bool(isHidden),
        ]
        if let kind = representedElementKind {
            result["kind"] = .string(ScriptElementKind.name(of: kind))
            result["category"] =
                representedElementCategory == .decorationView ? "decoration" : "supplementary"
        }
        if transform != .identity { result["transform"] = .array(transform.matrix.map { .number($0) }) }
        return .object(result)
    }
}

/// The kinds of supplementary views as scripts name them: `header`, `footer`, or the kind itself.
enum ScriptElementKind {
    static func kind(named name: String) -> String {
        switch name {
        case "header": CollectionView.elementKindSectionHeader
        case "footer": CollectionView.elementKindSectionFooter
        default: name
        }
    }

    static func name(of kind: String) -> String {
        switch kind {
        case CollectionView.elementKindSectionHeader: "header"
        case CollectionView.elementKindSectionFooter: "footer"
        default: kind
        }
    }
}

extension CellContent {
    var value: Value {
        [
            "text": .string(text.string), "spans": text.value, "secondary": secondaryText.value,
            "image": imageName.map { .string($0) } ?? .undefined,
            "accessories": .array(accessories.map(\.value)), "indentation": .index(indentationLevel),
        ]
    }
}

extension CollectionViewCounters {
    var value: Value {
        [
            "created": .index(created), "bound": .index(bound), "recycled": .index(recycled),
            "displayed": .index(displayed), "ended": .index(ended), "prefetched": .index(prefetched),
            "cancelled": .index(cancelled), "measured": .index(measured), "prepared": .index(prepared),
            "passes": .index(passes),
        ]
    }
}

extension ScrollPosition {
    /// Creates the position of a name: one of this package, or of UIKit.
    init(scriptName: String) {
        switch scriptName {
        case "start", "top", "left": self = .start
        case "center", "centeredVertically", "centeredHorizontally": self = .center
        case "end", "bottom", "right": self = .end
        default: self = .nearest
        }
    }
}
