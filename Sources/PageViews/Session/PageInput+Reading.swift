internal import BridgeValues
internal import CollectionViews

extension PageInput {
    /// The maximum number of UTF-8 bytes of a filter, a search or typed letters.
    static let maximumText = ViewState.maximumText
    /// The maximum number of lengths in one input.
    static let maximumMeasures = 10_000
    /// The maximum distance of a position in the content from its start.
    static let farthest = 0x1p52

    /// Reads an input from the form in which the page sends it.
    ///
    /// - Throws: ``PageInputError`` with a sentence for a value that is not an input.
    init(_ value: Value) throws(PageInputError) {
        guard case .array(let parts) = value, case .string(let name)? = parts.first else {
            throw PageInputError("an input is an array that begins with its name, not \(Self.shown(value))")
        }
        let reader = Reader(name: name, parts: parts)
        switch name {
        case "seen": self = .seen(sequence: try reader.integer(1, "the number of an update"))
        case "scroll":
            self = .scroll(
                offset: try reader.number(1, "the offset"),
                velocity: try reader.optionalNumber(2, "the velocity")
            )
        case "resize":
            self = .resize(
                width: try reader.number(1, "the width"),
                height: try reader.number(2, "the height")
            )
        case "measure": self = .measure(try reader.lengths())
        case "key":
            self = .key(
                PageKey(name: try reader.string(1, "the key"), modifiers: try reader.modifiers(2))
            )
        case "click":
            self = .click(
                view: try reader.integer(1, "the number of a view"),
                modifiers: try reader.modifiers(2),
                count: try reader.optionalInteger(3, "the number of clicks") ?? 1,
                part: try reader.option(4, default: .row)
            )
        case "focus": self = .focus(view: try reader.integer(1, "the number of a view"))
        case "type": self = .type(try reader.string(1, "the text"))
        case "jump": self = .jump(section: try reader.integer(1, "the section"))
        case "filter": self = .filter(try reader.string(1, "the text"))
        case "search": self = .search(try reader.string(1, "the text"))
        case "sort": self = .sort(column: try reader.integer(1, "the column"))
        case "group": self = .group(column: try reader.integer(1, "the column"))
        case "next": self = .nextMatch(forward: try reader.integer(1, "the direction") >= 0)
        case "fold":
            self = .fold(
                view: try reader.integer(1, "the number of a view"),
                isFolded: try reader.flag(2)
            )
        case "drag":
            self = .drag(
                phase: try reader.option(1, default: nil),
                view: try reader.integer(2, "the number of a view"),
                x: try reader.number(3, "the position"),
                y: try reader.number(4, "the position")
            )
        case "dragOver":
            self = .dragOver(
                try PageDropOffer(types: reader.part(1), files: reader.part(2)),
                x: try reader.number(3, "the position"),
                y: try reader.number(4, "the position")
            )
        case "dragLeave": self = .dragLeave
        case "dragEnd": self = .dragEnd(name: try reader.string(1, "the drag"), try reader.effect(2))
        case "hidden": self = .hidden(try reader.flag(1))
        case "move": self = .move(step: try reader.integer(1, "the step"))
        case "select": self = .select(try reader.option(1, default: nil))
        default: throw PageInputError("'\(name.prefix(40))' is not an input of a page")
        }
    }

    static func shown(_ value: Value) -> String { String("\(value)".prefix(80)) }
}

/// A reader of the parts of one input.
private struct Reader {
    let name: String
    let parts: [Value]

    func part(_ index: Int) -> Value { index < parts.count ? parts[index] : .undefined }

    private func problem(_ index: Int, _ what: String) -> PageInputError {
        PageInputError("'\(name)': \(what) is \(PageInput.shown(part(index)))")
    }

    /// Returns a finite number, limited to the positions that a view can have.
    func number(_ index: Int, _ what: String) throws(PageInputError) -> Double {
        let number: Double
        switch part(index) {
        case .integer(let value): number = Double(value)
        case .double(let value): number = value
        default: throw problem(index, what)
        }
        guard number.isFinite else { throw problem(index, what) }
        return min(max(number, -PageInput.farthest), PageInput.farthest)
    }

    func optionalNumber(_ index: Int, _ what: String) throws(PageInputError) -> Double {
        isMissing(index) ? 0 : try number(index, what)
    }

    func integer(_ index: Int, _ what: String) throws(PageInputError) -> Int {
        guard case .integer(let value) = part(index), let number = Int32(exactly: value) else {
            throw problem(index, what)
        }
        return Int(number)
    }

    func optionalInteger(_ index: Int, _ what: String) throws(PageInputError) -> Int? {
        isMissing(index) ? nil : try integer(index, what)
    }

    func string(_ index: Int, _ what: String) throws(PageInputError) -> String {
        guard case .string(let string) = part(index) else { throw problem(index, what) }
        guard string.utf8.count <= PageInput.maximumText else {
            throw PageInputError(
                "'\(name)': \(what) has \(string.utf8.count) bytes (limit \(PageInput.maximumText))"
            )
        }
        return string
    }

    func flag(_ index: Int) throws(PageInputError) -> Bool {
        guard case .bool(let flag) = part(index) else { throw problem(index, "the new state") }
        return flag
    }

    func modifiers(_ index: Int) throws(PageInputError) -> PageModifiers {
        if isMissing(index) { return [] }
        guard let modifiers = PageModifiers(letters: try string(index, "the modifiers")) else {
            throw problem(index, "the modifiers")
        }
        return modifiers
    }

    func option<Option: RawRepresentable<String>>(
        _ index: Int,
        default missing: Option?
    ) throws(PageInputError) -> Option {
        if isMissing(index), let missing { return missing }
        guard case .string(let string) = part(index), let option = Option(rawValue: string) else {
            throw problem(index, "the kind")
        }
        return option
    }

    /// Returns the effect of a drop by the name that browsers have for it.
    func effect(_ index: Int) throws(PageInputError) -> DropOperation {
        switch try string(index, "the effect") {
        case "none": .cancel
        case "move": .move
        // A link to data that a program does not have is a copy of it.
        case "copy", "link": .copy
        default: throw problem(index, "the effect")
        }
    }

    func lengths() throws(PageInputError) -> [Int: Double] {
        guard case .array(let pairs) = part(1) else { throw problem(1, "the lengths") }
        guard pairs.count <= PageInput.maximumMeasures else {
            throw PageInputError(
                "'measure' has \(pairs.count) lengths (limit \(PageInput.maximumMeasures))"
            )
        }
        var lengths: [Int: Double] = [:]
        for pair in pairs {
            guard case .array(let parts) = pair else { throw problem(1, "the lengths") }
            let reader = Reader(name: name, parts: parts)
            let length = try reader.number(1, "a length")
            guard length > 0, length <= 1_000_000 else {
                throw PageInputError("'measure': a length is \(length) px (limit 1000000)")
            }
            lengths[try reader.integer(0, "the number of a view")] = length
        }
        return lengths
    }

    private func isMissing(_ index: Int) -> Bool {
        switch part(index) {
        case .undefined, .null: true
        default: false
        }
    }
}
