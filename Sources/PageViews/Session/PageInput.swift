internal import BridgeValues
internal import CollectionViews

/// An input of the user, which the page sends.
enum PageInput: Sendable, Hashable {
    /// The last update that the page had applied when the following inputs happened.
    case seen(sequence: Int)
    case scroll(offset: Double, velocity: Double)
    case resize(width: Double, height: Double)
    /// The lengths of elements as the page has measured them, by the numbers of the views.
    case measure([Int: Double])
    case key(PageKey)
    case click(view: Int, modifiers: PageModifiers, count: Int, part: Part)
    case focus(view: Int)
    case type(String)
    case jump(section: Int)
    case filter(String)
    case search(String)
    case sort(column: Int)
    case group(column: Int)
    case nextMatch(forward: Bool)
    case fold(view: Int, isFolded: Bool)
    case drag(phase: DragPhase, view: Int, x: Double, y: Double)
    /// A drag from anywhere is over the view.
    case dragOver(PageDropOffer, x: Double, y: Double)
    case dragLeave
    /// A drag that began on this page has ended anywhere.
    case dragEnd(name: String, DropOperation)
    case move(step: Int)
    /// The page is hidden and takes no updates, or is seen again.
    case hidden(Bool)
    case select(Selection)

    /// The part of a row that was clicked.
    enum Part: String {
        case row = ""
        case disclosure
        case accessory
    }
    /// The phase of a drag inside the view.
    enum DragPhase: String { case begin, move, end, cancel }
    /// A selection of all rows.
    enum Selection: String { case all, none, invert }
}

extension PageInput {
    /// The memory of the input, in units of some 64 bytes beside the input itself.
    var cost: Int {
        switch self {
        case .measure(let lengths): lengths.count
        case .type(let text), .filter(let text), .search(let text): text.utf8.count / 64
        case .dragOver(let offer, _, _): (offer.types + offer.files).reduce(0) { $0 + 1 + $1.utf8.count / 64 }
        case .key(let key): key.name.utf8.count / 64
        default: 0
        }
    }
}

/// A key with its modifiers.
struct PageKey: Sendable, Hashable {
    /// The name, as `KeyboardEvent.key` has it.
    var name: String
    var modifiers: PageModifiers
}

/// The modifier keys of an input.
struct PageModifiers: OptionSet, Sendable, Hashable {
    var rawValue: UInt8

    static let shift = PageModifiers(rawValue: 1)
    static let control = PageModifiers(rawValue: 2)
    static let option = PageModifiers(rawValue: 4)
    static let meta = PageModifiers(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates modifiers from the letters `s`, `c`, `a` and `m`; `nil` for others.
    init?(letters: String) {
        self = []
        for letter in letters {
            switch letter {
            case "s": insert(.shift)
            case "c": insert(.control)
            case "a": insert(.option)
            case "m": insert(.meta)
            default: return nil
            }
        }
    }

    /// A Boolean value that indicates whether the modifier of commands is pressed, on any system.
    var isCommand: Bool { !isDisjoint(with: [.control, .meta]) }
}

/// The reason why an input of a page is not used.
struct PageInputError: Error, Hashable, CustomStringConvertible {
    /// A sentence that says what is wrong.
    let description: String
    init(_ description: String) { self.description = description }
}
