internal import BridgeValues
internal import CollectionViews
internal import Foundation
internal import JavaScriptBridge

/// The layouts that scripts describe.
enum ScriptLayouts {
    /// Creates the layout that a view's script has for a renderer.
    ///
    /// - Throws: The error of the script; ``BridgeError`` with `invalidArgument` for an unknown type or a wrong member.
    static func make(
        for script: ScriptFunctions,
        _ unit: ViewUnit,
        _ size: Size,
        _ hasTitles: SectionTitles
    ) throws -> CollectionLayout {
        let object = try script.value
        let context = object.context
        let arguments: [Value] = [.string(unit.rawValue), .number(size.width), .number(size.height)]
        let record = try object.invokeMethod(
            "layout",
            withArguments: arguments.map { try JSValue($0, in: context) }
        )
        let custom = try record.forProperty("script")
        if custom.isObject { return try ScriptLayout(ScriptFunctions(custom, of: script)) }
        let options = LayoutOptions(try record.forProperty("options").toValue())
        let type = try options.string("type") ?? "list"
        switch type {
        case "list":
            return ListLayout(try list(options, unit, hasTitles))
        case "flow":
            let layout = try flow(options, unit)
            let functions = try record.forProperty("functions")
            if functions.isObject {
                layout.ownedDelegate = try ScriptFlowFunctions(ScriptFunctions(functions, of: script), unit)
            }
            return layout
        case "grid": return try grid(options, unit)
        case "compositional":
            let functions = try record.forProperty("functions")
            return try ScriptSections(unit, hasTitles, try options.direction())
                .layout(options, functions.isObject ? ScriptFunctions(functions, of: script) : nil)
        default:
            throw BridgeError(
                .invalidArgument,
                """
                a layout's type is 'list', 'flow', 'grid' or 'compositional', or it has layoutAttributesForElements, \
                not '\(type)'
                """
            )
        }
    }

    /// Returns the insets that a view's script has for a renderer.
    ///
    /// - Throws: The error of the script; ``BridgeError`` with `invalidArgument` for a wrong length.
    static func contentInset(of script: ScriptFunctions, _ unit: ViewUnit, _ size: Size) throws -> EdgeInsets
    {
        let answer = try script.ask(
            "contentInset",
            .string(unit.rawValue),
            .number(size.width),
            .number(size.height)
        )
        if answer.isNil { return .zero }
        let lengths = (0..<4).map { answer[$0].doubleValue ?? .nan }
        if let wrong = lengths.first(where: { !(0...1e9).contains($0) }) {
            throw BridgeError(
                .invalidArgument,
                "contentInset has lengths from 0 to 1,000,000,000, not \(Value.double(wrong).excerpt)"
            )
        }
        return EdgeInsets(top: lengths[0], left: lengths[1], bottom: lengths[2], right: lengths[3])
    }

    private static let list: Set<String> = [
        "rowLength", "rowSpacing", "sectionInset", "headerLength", "footerLength",
        "sectionHeadersPinToVisibleBounds", "backgroundKind",
    ]

    /// Returns the configuration of a list: of a whole layout or, with a direction, of a section of a layout.
    static func list(
        _ options: LayoutOptions,
        _ unit: ViewUnit,
        _ hasTitles: SectionTitles,
        along direction: ScrollDirection? = nil
    ) throws -> ListConfiguration {
        try options.requireMembers(in: direction == nil ? list.union(["type", "scrollDirection"]) : list)
        var result = ListConfiguration()
        result.scrollDirection = try direction ?? options.direction()
        result.estimatedRowLength = try options.length("rowLength") ?? unit.rowLength
        result.rowSpacing = try options.length("rowSpacing") ?? 0
        result.sectionInset = try options.insets("sectionInset") ?? .zero
        result.headerLength = try options.length("headerLength") ?? (hasTitles.header ? unit.rowLength : 0)
        result.footerLength = try options.length("footerLength") ?? (hasTitles.footer ? unit.rowLength : 0)
        result.sectionHeadersPinToVisibleBounds =
            try options.flag("sectionHeadersPinToVisibleBounds") ?? true
        result.backgroundKind = try options.string("backgroundKind")
        guard result.estimatedRowLength >= 1.0 / 64 else {
            throw BridgeError(.invalidArgument, "the rowLength of a list is more than 0")
        }
        return result
    }

    private static let flow: Set<String> = [
        "type", "scrollDirection", "itemSize", "minimumLineSpacing", "minimumInteritemSpacing",
        "sectionInset",
        "headerReferenceSize", "footerReferenceSize", "sectionHeadersPinToVisibleBounds",
        "sectionFootersPinToVisibleBounds", "backgroundKind",
    ]

    private static func flow(_ options: LayoutOptions, _ unit: ViewUnit) throws -> FlowLayout {
        try options.requireMembers(in: flow)
        let layout = FlowLayout()
        let isText = unit == .cell
        layout.direction = try options.direction()
        layout.itemSize =
            try options.size("itemSize")
            ?? (isText ? Size(width: 20, height: 3) : Size(width: 160, height: 96))
        try require(layout.itemSize, atLeast: unit, "itemSize")
        layout.minimumLineSpacing = try options.length("minimumLineSpacing") ?? (isText ? 1 : 10)
        layout.minimumInteritemSpacing = try options.length("minimumInteritemSpacing") ?? (isText ? 1 : 10)
        layout.sectionInset = try options.insets("sectionInset") ?? .zero
        layout.headerReferenceSize = try options.size("headerReferenceSize") ?? .zero
        layout.footerReferenceSize = try options.size("footerReferenceSize") ?? .zero
        layout.sectionHeadersPinToVisibleBounds =
            try options.flag("sectionHeadersPinToVisibleBounds") ?? false
        layout.sectionFootersPinToVisibleBounds =
            try options.flag("sectionFootersPinToVisibleBounds") ?? false
        layout.backgroundKind = try options.string("backgroundKind")
        return layout
    }

    /// Checks that a viewport cannot contain more items than a frame may have.
    static func require(_ size: Size, atLeast unit: ViewUnit, _ name: String) throws {
        let least = unit.leastItemLength
        guard size.width >= least, size.height >= least else {
            throw BridgeError(
                .invalidArgument,
                "\(name) of a layout is at least \(least) in both directions, not \(size.width) x \(size.height)"
            )
        }
    }

    private static let grid: Set<String> = [
        "type", "scrollDirection", "columns", "rowLength", "spacing", "sectionInset",
    ]

    /// Creates a compositional layout of groups of equal items.
    private static func grid(_ options: LayoutOptions, _ unit: ViewUnit) throws -> CompositionalLayout {
        try options.requireMembers(in: grid)
        let columns = try options.count("columns") ?? 2
        let length = try options.length("rowLength") ?? unit.rowLength * 3
        try require(Size(width: length, height: length), atLeast: unit, "rowLength")
        let spacing = try options.length("spacing") ?? 0
        let direction = try options.direction()
        let isVertical = direction == .vertical
        let size =
            isVertical
            ? CollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(length))
            : CollectionLayoutSize(widthDimension: .absolute(length), heightDimension: .fractionalHeight(1))
        let item = CollectionLayoutItem(
            layoutSize: CollectionLayoutSize(
                widthDimension: .fractionalWidth(1),
                heightDimension: .fractionalHeight(1)
            )
        )
        var group =
            isVertical
            ? CollectionLayoutGroup.horizontal(layoutSize: size, subitem: item, count: columns)
            : CollectionLayoutGroup.vertical(layoutSize: size, subitem: item, count: columns)
        group.interItemSpacing = spacing
        var section = CollectionLayoutSection(group: group)
        section.interGroupSpacing = spacing
        section.contentInsets = try options.insets("sectionInset") ?? .zero
        return CompositionalLayout(section: section, scrollDirection: direction)
    }
}

/// The Boolean values that indicate whether sections have headers and footers by themselves.
struct SectionTitles: Equatable {
    var header = false
    var footer = false

    init() {}

    /// Asks a script for the titles of its first section, and for its functions.
    init(of script: ScriptFunctions) throws {
        let titles = try script.ask("titles")
        header = titles[0].boolValue ?? false
        footer = titles[1].boolValue ?? false
    }
}

extension ViewUnit {
    /// The least length of an item, so that a viewport contains no more items than a frame can have.
    var leastItemLength: Double {
        switch self {
        case .cell: 1
        case .pixel: 8
        }
    }
}
