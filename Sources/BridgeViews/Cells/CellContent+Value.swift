internal import BridgeValues
internal import CollectionViews

extension CellContent {
    /// Creates the content of a record of the script's side: `[text, secondary, image, accessories, indentation]`.
    init(_ record: Value) {
        let image = record[2].stringValue ?? ""
        self.init(
            text: StyledText(record[0]),
            secondaryText: StyledText(record[1]),
            imageName: image.isEmpty ? nil : image,
            accessories: (record[3].arrayValue ?? []).compactMap(CellAccessory.init),
            indentationLevel: record[4].index ?? 0
        )
    }
}

extension CellAccessory {
    fileprivate init?(_ record: Value) {
        switch record[0].stringValue {
        case "disclosure": self = .disclosureIndicator
        case "checkmark": self = .checkmark
        case "reorder": self = .reorder
        case "label": self = .label(record[1].stringValue ?? "")
        case "outline": self = .outlineDisclosure(isExpanded: record[1].boolValue ?? false)
        default: return nil
        }
    }

    /// The accessory as scripts write it.
    var value: Value {
        switch self {
        case .disclosureIndicator: "disclosure"
        case .checkmark: "checkmark"
        case .reorder: "reorder"
        case .label(let label): ["label": .string(label)]
        case .outlineDisclosure(let isExpanded): ["outline": .bool(isExpanded)]
        }
    }
}

extension StyledText {
    /// Creates text of a string, or of an array of spans.
    init(_ record: Value) {
        guard let spans = record.arrayValue else {
            self.init(record.stringValue ?? "")
            return
        }
        self.init(
            spans: spans.map { span in
                Span(
                    span[0].stringValue ?? "",
                    style: span[1].stringValue.flatMap { Style(rawValue: $0) } ?? .plain
                )
            }
        )
    }

    /// The spans as scripts write them.
    var value: Value {
        .array(spans.map { ["text": .string($0.string), "style": .string($0.style.rawValue)] })
    }
}
