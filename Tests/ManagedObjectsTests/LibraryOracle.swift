import Stores

/// The visible state of a library: every object by a label, with its values and references.
struct World: Equatable {
    struct Thing: Equatable {
        var entity: String
        var values: [String: AttributeValue]
        var ends: [String: [Int]] = [:]
    }

    var things: [Int: Thing] = [:]
}

/// A reference model of a library as plain dictionaries, independent of the managed store.
struct LibraryOracle {
    struct State: Equatable {
        var entities: [Int: String] = [:]
        var values: [Int: [String: AttributeValue]] = [:]
        /// The targets of to-one relationships by label: `author` and `shelf` of books, `next` of shelves, `passport`
        /// of authors.
        var ones: [String: [Int: Int]] = [:]
        /// The pairs of related labels, each once: `tags` of books and tags, `marks` of shelves and tags, `friends` of
        /// authors (the smaller label first).
        var pairs: [String: Set<[Int]>] = [:]
    }

    private(set) var now = State()
    private(set) var saved = State()
    private var done: [State] = []
    private var undone: [State] = []

    /// The state before the open group.
    private var groupStart: State?
    private var hasChangedInGroup = false

    var hasChanges: Bool { now != saved }
    var canUndo: Bool { !done.isEmpty }
    var canRedo: Bool { !undone.isEmpty }

    func labels(_ entity: String) -> [Int] { now.entities.filter { $0.value == entity }.keys.sorted() }

    /// Returns whether saving the deletion of a shelf is denied because of its books.
    func isDenied(_ shelf: Int) -> Bool {
        saved.entities[shelf] != nil && now.ones["shelf", default: [:]].values.contains(shelf)
    }

    // MARK: - Operations

    mutating func change(_ body: (inout State) -> Void) {
        let before = now
        body(&now)
        // A cleared reference equals one that was never set.
        now.ones = now.ones.filter { !$0.value.isEmpty }
        now.pairs = now.pairs.filter { !$0.value.isEmpty }
        guard now != before else { return }
        undone = []
        if groupStart == nil { done.append(before) } else { hasChangedInGroup = true }
    }

    mutating func beginGroup() { (groupStart, hasChangedInGroup) = (now, false) }

    mutating func endGroup() {
        if let groupStart, hasChangedInGroup { done.append(groupStart) }
        groupStart = nil
    }

    mutating func save() { saved = now }

    mutating func rollback() {
        now = saved
        (done, undone) = ([], [])
    }

    mutating func undo() {
        guard let state = done.popLast() else { return }
        undone.append(now)
        now = state
    }

    mutating func redo() {
        guard let state = undone.popLast() else { return }
        done.append(now)
        now = state
    }
}

extension LibraryOracle.State {
    mutating func insert(_ entity: String, _ label: Int, _ values: [String: AttributeValue]) {
        entities[label] = entity
        self.values[label] = values
    }

    mutating func setOne(_ name: String, _ source: Int, _ target: Int?) {
        // A passport has one owner.
        if name == "passport", let target {
            for (other, held) in ones[name, default: [:]] where held == target { ones[name]?[other] = nil }
        }
        ones[name, default: [:]][source] = target
    }

    mutating func setPair(_ name: String, _ first: Int, _ second: Int, _ isThere: Bool) {
        let pair = name == "friends" ? [min(first, second), max(first, second)] : [first, second]
        if isThere { pairs[name, default: []].insert(pair) } else { pairs[name]?.remove(pair) }
    }

    mutating func delete(_ label: Int) {
        guard let entity = entities.removeValue(forKey: label) else { return }
        values[label] = nil
        if entity == "author" {
            for (book, author) in ones["author", default: [:]] where author == label { delete(book) }
            if let passport = ones["passport", default: [:]][label] { delete(passport) }
        }
        for name in ["author", "shelf", "next", "passport"] {
            ones[name]?[label] = nil
            for (source, target) in ones[name, default: [:]] where target == label {
                ones[name]?[source] = nil
            }
        }
        for name in pairs.keys { pairs[name] = pairs[name]?.filter { !$0.contains(label) } }
    }

    /// The state as seen from both ends of all relationships.
    var world: World {
        var world = World()
        for (label, entity) in entities {
            var thing = World.Thing(entity: entity, values: values[label] ?? [:])
            for (name, back, owner) in [
                ("author", "books", "book"), ("shelf", "books", "book"), ("passport", "owner", "author"),
                ("next", "", "shelf"),
            ] {
                let ends = ones[name, default: [:]]
                if entity == owner { thing.ends[name] = ends[label].map { [$0] } ?? [] }
                let target = name == "next" ? "shelf" : name
                if entity == target, !back.isEmpty {
                    thing.ends[back] = ends.filter { $0.value == label }.keys.sorted()
                }
            }
            func partners(_ name: String, _ side: Int) -> [Int] {
                pairs[name, default: []].filter { $0[side] == label }.map { $0[1 - side] }.sorted()
            }
            switch entity {
            case "book": thing.ends["tags"] = partners("tags", 0)
            case "tag": thing.ends["books"] = partners("tags", 1)
            case "shelf": thing.ends["marks"] = partners("marks", 0)
            case "author":
                thing.ends["friends"] = Set(partners("friends", 0) + partners("friends", 1)).sorted()
            default: break
            }
            world.things[label] = thing
        }
        return world
    }
}
