internal import BridgeValues
internal import CollectionViews
internal import JavaScriptBridge

/// The members of an object of a layout's description, with the checks of each type.
///
/// Errors name a member by its path from the layout, such as `section.group.layoutSize`.
struct LayoutOptions {
    private let value: Value
    /// The path of the object; empty for the layout itself.
    private let path: String

    init(_ value: Value, at path: String = "") {
        self.value = value
        self.path = path
    }

    /// Returns whether the object has a value for a member.
    func has(_ name: String) -> Bool { !value[name].isNil }

    func requireMembers(in names: Set<String>) throws {
        guard let unknown = value.objectValue?.keys.first(where: { !names.contains($0) }) else { return }
        throw BridgeError(
            .invalidArgument,
            """
            \(path.isEmpty ? "" : "\(path) of ")a layout has no member '\(unknown)': \
            its members are \(names.sorted().joined(separator: ", "))
            """
        )
    }

    /// Returns the path of a member.
    private func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// Returns the error for a member of another type or value.
    func failure(_ name: String, _ wanted: String) -> BridgeError {
        let found = value[name]
        let given =
            found.arrayValue != nil ? "an array" : found.objectValue != nil ? "an object" : found.excerpt
        return BridgeError(.invalidArgument, "\(path(of: name)) of a layout is \(wanted), not \(given)")
    }

    // MARK: - Values

    func string(_ name: String) throws -> String? {
        if value[name].isNil { return nil }
        guard let string = value[name].stringValue else { throw failure(name, "a string") }
        return string
    }

    func flag(_ name: String) throws -> Bool? {
        if value[name].isNil { return nil }
        guard let flag = value[name].boolValue else { throw failure(name, "true or false") }
        return flag
    }

    func length(_ name: String) throws -> Double? {
        if value[name].isNil { return nil }
        guard let length = value[name].doubleValue, (0...1e9).contains(length) else {
            throw failure(name, "a number from 0 to 1,000,000,000")
        }
        return length
    }

    func count(_ name: String) throws -> Int? {
        if value[name].isNil { return nil }
        guard let count = value[name].index, (1...500).contains(count) else {
            throw failure(name, "an integer from 1 to 500")
        }
        return count
    }

    /// Returns the choice that a string names.
    func choice<Choice>(_ name: String, of choices: KeyValuePairs<String, Choice>) throws -> Choice? {
        if value[name].isNil { return nil }
        if let found = choices.first(where: { $0.key == value[name].stringValue }) { return found.value }
        let names = choices.map { "'\($0.key)'" }
        throw failure(name, "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
    }

    // MARK: - Objects

    func object(_ name: String) throws -> LayoutOptions? {
        if value[name].isNil { return nil }
        guard value[name].objectValue != nil else { throw failure(name, "an object") }
        return LayoutOptions(value[name], at: path(of: name))
    }

    func objects(_ name: String) throws -> [LayoutOptions]? {
        if value[name].isNil { return nil }
        guard let objects = value[name].arrayValue, objects.allSatisfy({ $0.objectValue != nil }) else {
            throw failure(name, "an array of objects")
        }
        return objects.enumerated().map { LayoutOptions($1, at: "\(path(of: name))[\($0)]") }
    }

    // MARK: - Geometry

    func size(_ name: String) throws -> Size? {
        if value[name].isNil { return nil }
        guard let width = value[name]["width"].doubleValue, let height = value[name]["height"].doubleValue,
            (0...1e9).contains(width), (0...1e9).contains(height)
        else { throw failure(name, "{ width, height } of numbers from 0 on") }
        return Size(width: width, height: height)
    }

    func insets(_ name: String) throws -> EdgeInsets? {
        let insets = value[name]
        if insets.isNil { return nil }
        if let all = insets.doubleValue, (0...1e9).contains(all) {
            return EdgeInsets(top: all, left: all, bottom: all, right: all)
        }
        guard insets.objectValue != nil else {
            throw failure(name, "a number, or { top, left, bottom, right }")
        }
        let edges = LayoutOptions(insets, at: path(of: name))
        return EdgeInsets(
            top: try edges.length("top") ?? 0,
            left: try edges.length("left") ?? 0,
            bottom: try edges.length("bottom") ?? 0,
            right: try edges.length("right") ?? 0
        )
    }

    /// Returns a dimension of a compositional layout: a number is absolute, an object has one of the four forms.
    ///
    /// Lengths that are not relative have a least value.
    func dimension(_ name: String, atLeast least: Double) throws -> CollectionLayoutDimension? {
        if value[name].isNil { return nil }
        let form = value[name].objectValue
        let member = form?.count == 1 ? form?.first : nil
        let number = member?.value.doubleValue ?? value[name].doubleValue ?? .nan
        let isLength = (least...1e9).contains(number)
        let isPart = (0...100).contains(number)
        switch form == nil ? "absolute" : member?.key {
        case "absolute" where isLength: return .absolute(number)
        case "estimated" where isLength: return .estimated(number)
        case "fractionalWidth" where isPart: return .fractionalWidth(number)
        case "fractionalHeight" where isPart: return .fractionalHeight(number)
        default:
            throw failure(
                name,
                """
                a length from \(Value.double(least).excerpt) on, { absolute: length }, { estimated: length }, \
                { fractionalWidth: number } or { fractionalHeight: number } up to 100
                """
            )
        }
    }

    /// Returns the scroll direction, vertical by default.
    func direction() throws -> ScrollDirection {
        try choice("scrollDirection", of: Self.directions) ?? .vertical
    }

    static let directions: KeyValuePairs<String, ScrollDirection> = [
        "vertical": .vertical, "horizontal": .horizontal,
    ]
}
