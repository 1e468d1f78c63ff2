internal import BridgeInspector
internal import BridgeProtocol
internal import BridgeValues
internal import Stores

/// The options of `jsbridge heap`.
struct HeapOptions: Hashable {
    /// The snapshots: one, or the earlier and the later one.
    var files: [String] = []
    /// The class, or the ID of an object, whose holders are shown; `nil` for none.
    var held: String?
    /// The number of classes or paths that are shown.
    var limit = 20
}

extension Invocation {
    /// Parses the arguments of `heap`.
    static func heap(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var options = HeapOptions()
        while let argument = try reader.next(about: .heap) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .heap)
                return .help(.heap)
            case .option("--holds"):
                options.held = try reader.value(of: "--holds", named: "CLASS|ID", about: .heap)
            case .option("--limit"):
                options.limit = try limit(reader.value(of: "--limit", named: "N", about: .heap), about: .heap)
            case .option(let option):
                throw unknown(option, among: ["--help", "--holds", "--limit"], about: .heap)
            case .operand(let operand):
                guard options.files.count < 2, !operand.isEmpty else {
                    throw UsageError("two snapshots can be compared, not also '\(operand)'", about: .heap)
                }
                options.files.append(operand)
            }
        }
        guard !options.files.isEmpty else { throw UsageError("a snapshot is missing", about: .heap) }
        guard options.held == nil || options.files.count == 1 else {
            throw UsageError("'--holds' takes one snapshot", about: .heap)
        }
        return .heap(options)
    }
}

/// The command `jsbridge heap`: the objects of a heap snapshot.
struct HeapCommand {
    let options: HeapOptions
    let output: CommandOutput

    /// Shows the snapshot.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do {
            let snapshots = try options.files.map { path throws(CommandFailure) in
                try RecordedInput.read(path) { bytes throws(ProfilerError) in
                    try HeapSnapshot(contentsOf: bytes)
                }
            }
            let lines =
                if let held = options.held {
                    try holders(of: held, in: snapshots[0])
                } else if snapshots.count == 2 {
                    difference(snapshots[0], snapshots[1])
                } else {
                    summary(snapshots[0])
                }
            for line in lines { try output.print(line) }
            return ExitStatus.success
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func summary(_ snapshot: HeapSnapshot) -> [String] {
        var table = TextTable([.right, .right, .left])
        table.add("objects", "size", "class")
        let classes = snapshot.classSummaries
        for summary in classes.prefix(options.limit) {
            table.add("\(summary.count)", FigureText.bytes(summary.size), summary.className)
        }
        return [head(snapshot), ""] + table.lines + more(classes.count)
    }

    private func head(_ snapshot: HeapSnapshot) -> String {
        "\(FigureText.count(snapshot.nodeCount, "object")) of \(FigureText.bytes(snapshot.totalSize)), "
            + FigureText.count(snapshot.edgeCount, "reference")
    }

    private func more(_ count: Int) -> [String] {
        let rest = count - options.limit
        return rest > 0 ? ["(\(FigureText.count(rest, "more class", "more classes")))"] : []
    }

    private func difference(_ before: HeapSnapshot, _ after: HeapSnapshot) -> [String] {
        var table = TextTable([.right, .right, .right, .left])
        table.add("new", "gone", "size", "class")
        let changes = after.difference(from: before)
        for change in changes.prefix(options.limit) {
            let sign = change.sizeChange > 0 ? "+" : ""
            table.add(
                "\(change.addedCount)",
                "\(change.removedCount)",
                sign + FigureText.bytes(change.sizeChange),
                change.className
            )
        }
        let growth = after.totalSize - before.totalSize
        let text =
            "\(growth > 0 ? "+" : "")\(FigureText.bytes(growth)) to \(FigureText.bytes(after.totalSize))"
        let note =
            after.sharesIDs(with: before)
            ? text : "\(text); the snapshots are of two runs: numbers are compared, not objects"
        guard !changes.isEmpty else { return [note] }
        return [note, ""] + table.lines + more(changes.count)
    }

    private func holders(of held: String, in snapshot: HeapSnapshot) throws(CommandFailure) -> [String] {
        let paths = snapshot.retainingPaths(ofClass: held)
        if !paths.isEmpty {
            let nodes = snapshot.nodes(ofClass: held)
            let size = FigureText.bytes(nodes.reduce(0) { $0 + $1.size })
            var lines = [
                "\(FigureText.count(nodes.count, "object")) of the class \(Printable.text(held)), \(size)"
            ]
            for way in paths.prefix(options.limit) {
                lines += ["", "\(FigureText.count(way.count, "object")), such as \(way.example.id):"]
                lines += Self.lines(of: way.path, to: way.example)
            }
            let rest = paths.count - options.limit
            return lines + (rest > 0 ? ["", "(\(FigureText.count(rest, "more way")))"] : [])
        }
        guard let id = Int(held), let node = snapshot.node(id: id), let path = snapshot.path(to: id) else {
            let reason = "no class or object \(MessageText.quoted(held)) is in the snapshot"
            throw CommandFailure(status: ExitStatus.failure, reason: CommandError(reason))
        }
        let direct = snapshot.retainers(of: id)
        var lines = ["\(Printable.text(node.className)) \(id), \(FigureText.bytes(node.size))"]
        lines += Self.lines(of: path, to: node)
        lines += ["", "\(FigureText.count(direct.count, "direct reference")):"]
        lines += direct.prefix(options.limit).map {
            "  \(Printable.text($0.node.className)) \($0.node.id)\(Self.text(of: $0.edge))"
        }
        return lines
    }

    /// Returns the lines of a path, each with a reference and the object to which it leads.
    private static func lines(of path: [HeapSnapshot.Retainer], to node: HeapSnapshot.Node) -> [String] {
        let nodes = path.dropFirst().map(\.node) + [node]
        return zip(path, nodes).map { step, target in
            let edge = text(of: step.edge)
            return
                "  \(edge.isEmpty ? "" : edge + "  ")\(Printable.text(target.className))\(target.isGroup ? "" : " \(target.id)")"
        }
    }

    private static func text(of edge: HeapSnapshot.Edge) -> String {
        switch edge.kind {
        case .internal: ""
        case .property: "." + Printable.text(edge.name)
        case .index: "[\(edge.name)]"
        case .variable: "variable " + Printable.text(edge.name)
        }
    }
}
