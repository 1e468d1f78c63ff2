internal import BridgeValues
internal import CollectionViews
internal import DataSources

/// The form in which a page receives elements and text: arrays and objects without members at their default.
enum PageEncoder {
    /// Returns the form of an element with what the page shows beside its content.
    static func value(_ element: ViewFrame.Element, _ look: ElementLook, _ limit: TextLimit) -> Value {
        let attributes = element.attributes
        let identifier = attributes.element
        let content = limit.cut(element.content)
        var object = ValueObject()
        object["n"] = .integer(Int64(element.viewNumber))
        object["kind"] = kind(identifier)
        if identifier.category != .cell, kindName(identifier) == nil {
            object["type"] = .string(identifier.kind)
        }
        object["path"] = .array([
            .integer(Int64(identifier.path.section)), .integer(Int64(identifier.path.item)),
        ])
        object["row"] = .integer(Int64(look.row))
        object["frame"] = .array([
            .number(attributes.frame.minX), .number(attributes.frame.minY),
            .number(attributes.frame.size.width), .number(attributes.frame.size.height),
        ])
        if let pinned = look.pinned {
            object["pinned"] = .array([.number(pinned.lowerBound), .number(pinned.upperBound)])
        }
        object["text"] = value(content.text)
        if !content.columns.isEmpty { object["columns"] = .array(content.columns.map(value)) }
        add(content, to: &object)
        if attributes.zIndex != 0 { object["z"] = .integer(Int64(attributes.zIndex)) }
        if attributes.alpha != 1 { object["alpha"] = .number(attributes.alpha) }
        if attributes.transform != .identity {
            object["transform"] = .array(attributes.transform.matrix.map { .number($0) })
        }
        if element.isSelected { object["selected"] = .bool(true) }
        if element.isHighlighted { object["highlighted"] = .bool(true) }
        if look.isMeasured { object["measured"] = .bool(true) }
        if let level = look.level { object["level"] = .integer(Int64(level)) }
        if let isExpanded = look.isExpanded { object["expanded"] = .bool(isExpanded) }
        if let mark = look.mark { object["mark"] = .string(mark.rawValue) }
        if let isFolded = look.isFolded { object["folded"] = .bool(isFolded) }
        return .object(object)
    }

    private static func add(_ content: CellContent, to object: inout ValueObject) {
        if !content.secondaryText.spans.isEmpty { object["secondary"] = value(content.secondaryText) }
        if let image = content.imageName { object["image"] = .string(image) }
        if !content.accessories.isEmpty { object["accessories"] = .array(content.accessories.map(value)) }
        if content.indentationLevel != 0 { object["indent"] = .integer(Int64(content.indentationLevel)) }
    }

    private static func kind(_ identifier: ElementIdentifier) -> Value {
        switch identifier.category {
        case .cell: .string("cell")
        case .supplementaryView: .string(kindName(identifier) ?? "supplementary")
        case .decorationView: .string("decoration")
        }
    }

    private static func kindName(_ identifier: ElementIdentifier) -> String? {
        switch identifier.kind {
        case CollectionView.elementKindSectionHeader: "header"
        case CollectionView.elementKindSectionFooter: "footer"
        default: nil
        }
    }

    /// Returns the form of text: an array of spans, each with its style.
    static func value(_ text: StyledText) -> Value {
        .array(text.spans.map { .array([.string($0.string), .string($0.style.rawValue)]) })
    }

    /// Returns the form of a chart, which the page draws by the lengths of its bars.
    static func value(_ chart: BarChart) -> Value {
        let bars = zip(chart.bars, chart.lengths).map { bar, length -> Value in
            .array([
                .string(bar.label), .string(BarChart.figure(bar.value)), .number(length),
                .string(bar.style.rawValue),
            ])
        }
        return ["title": .string(chart.title ?? ""), "bars": .array(bars)]
    }

    private static func value(_ accessory: CellAccessory) -> Value {
        switch accessory {
        case .disclosureIndicator: .array([.string("disclosure")])
        case .checkmark: .array([.string("checkmark")])
        case .reorder: .array([.string("reorder")])
        case .outlineDisclosure(let isExpanded): .array([.string("outline"), .bool(isExpanded)])
        case .label(let text): .array([.string("label"), .string(text)])
        }
    }
}

/// The appearance of an element beside its attributes and its content.
struct ElementLook: Hashable {
    /// The row over all sections, from 1.
    var row = 0
    /// A Boolean value that indicates whether the page measures the length.
    var isMeasured = false
    /// The depth in a tree, from 1.
    var level: Int?
    var isExpanded: Bool?
    var mark: ViewChangeMark?
    var isFolded: Bool?
    /// The range in which a header stays at the edge of the viewport.
    var pinned: ClosedRange<Double>?
}
