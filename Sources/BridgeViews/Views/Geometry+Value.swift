internal import BridgeValues
internal import CollectionViews

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

extension LayoutAttributes {
    var value: Value {
        [
            "indexPath": indexPath.value, "frame": frame.value, "zIndex": .index(zIndex),
            "alpha": .number(alpha), "isHidden": .bool(isHidden),
        ]
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
