internal import BridgeData
internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import JavaScriptBridge

/// The rows of a script's view: the counts of its source, and the contents of its cells.
///
/// Contents are read in blocks, by one call of the script. The script makes each one once for each version of a row. What
/// the script answers wrongly leaves the counts that were read before.
final class ScriptRows: DataSource {
    typealias ItemType = CellContent

    /// The number of rows of a block.
    static let blockSize = 32
    /// The number of blocks that are kept: those of a viewport and its surroundings.
    private static let keptBlocks = 16

    private struct Block: Hashable {
        let section: Int
        let number: Int
    }

    let name: String
    /// The closure that is called with a change set that the source announces.
    var reloadBlock: ReloadBlock?
    /// A closure that is called with an error of the script.
    var failed: (any Error) -> Void = { _ in }
    /// A Boolean value that indicates whether the rows follow their source.
    private var isFollowing = true
    /// A Boolean value that indicates whether the counts were read for the change that is being reported.
    private var isFresh = false
    private let script: ScriptFunctions
    private let entry: ScriptFunctions
    private var counts: [Int] = []
    /// The titles of the sections that were asked for, of the present counts.
    private var titles: [Int: String] = [:]
    private var blocks: [(block: Block, cells: [CellContent])] = []
    /// The error of the last item that was read; `nil` if it was read.
    private(set) var itemError: (any Error)?

    init(name: String, script: ScriptFunctions) throws {
        self.name = name
        self.script = script
        entry = ScriptFunctions(try script.value.forProperty("entry"))
        counts = try readCounts()
    }

    /// Follows the announcements of the source.
    func follow() throws {
        // Returns whether the rows still exist; without an argument this is the only effect.
        let announce = try entry.value.context.makeHostFunction { [weak self] call in
            guard let self, isFollowing else { return false }
            if call.count > 0 { try receive(call) }
            return true
        }
        try entry.value.invokeMethod("follow", withArguments: [announce])
    }

    /// Ends following the source.
    func end() { isFollowing = false }

    private func readCounts() throws -> [Int] {
        let counts = try entry.ask("counts").arrayValue ?? []
        return counts.map { max(0, min($0.index ?? 0, Int(Int32.max))) }
    }

    /// Reads the counts again, and forgets the contents; keeps both if the script fails.
    func refresh() {
        do {
            counts = try readCounts()
            blocks = []
            titles = [:]
        } catch {
            failed(error)
        }
    }

    private func receive(_ call: HostCall) throws {
        let before = counts
        var changes = try ChangeSet(announcedBy: call)
        refresh()
        do {
            try changes.requireCounts(from: before, to: counts, of: name)
        } catch {
            failed(error)
            changes = .all
        }
        isFresh = true
        defer { isFresh = false }
        reloadBlock?(changes)
    }

    // MARK: - Data source

    /// The number of sections, which are counted again.
    ///
    /// A view reads the counts once for each reload and each batch, and begins with this one.
    var numberOfSections: Int {
        if isFresh { isFresh = false } else { refresh() }
        return counts.count
    }

    /// Returns the title of a section: the text of its header; empty for none.
    ///
    /// The strip of index titles asks for all of them, so each one is kept.
    func title(ofSection section: Int) -> String {
        if let title = titles[section] { return title }
        do {
            let record = try script.askForFrame("supplementary", false, .index(section))
            let title = record.isNil ? "" : CellContent(record).text.string
            titles[section] = title
            return title
        } catch {
            failed(error)
            return ""
        }
    }

    func numberOfItems(in section: Int) -> Int { counts.indices.contains(section) ? counts[section] : 0 }

    func item(at indexPath: IndexPath) -> CellContent? {
        let (section, item) = (indexPath.section, indexPath.item)
        itemError = nil
        guard item >= 0, item < numberOfItems(in: section) else { return nil }
        let block = Block(section: section, number: item / Self.blockSize)
        let place = item % Self.blockSize
        if let known = blocks.last(where: { $0.block == block }) {
            return known.cells.indices.contains(place) ? known.cells[place] : nil
        }
        do {
            let start = block.number * Self.blockSize
            let end = min(start + Self.blockSize, numberOfItems(in: section))
            let cells =
                try script.askForFrame("cells", .index(section), .index(start), .index(end))
                .arrayValue?.map { CellContent($0) } ?? []
            if blocks.count >= Self.keptBlocks { blocks.removeFirst() }
            blocks.append((block, cells))
            return cells.indices.contains(place) ? cells[place] : nil
        } catch {
            itemError = error
            failed(error)
            return nil
        }
    }
}

extension ScriptRows: DataSourceModelAssociation {
    func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        answer(nil) {
            try entry.ask("identity", .index(indexPath.section), .index(indexPath.item)).stringValue
        }
    }

    func indexPathForElement(withModelIdentifier identifier: String, in view: any RestorableView)
        -> IndexPath?
    {
        answer(nil) {
            let place = try entry.ask("placeOf", .string(identifier))
            guard let section = place[0].index, let item = place[1].index else { return nil }
            return IndexPath(item: item, section: section)
        }
    }

    private func answer<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            failed(error)
            return fallback
        }
    }

    /// Creates the source for archives of the state of a view.
    ///
    /// - Throws: ``BridgeError`` with the code `disconnected` after the bridge was reloaded.
    func makeRestorableSource() throws -> ScriptDataSource {
        ScriptDataSource(name: name, entry: try entry.value)
    }
}
