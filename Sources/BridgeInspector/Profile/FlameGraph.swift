internal import BridgeValues

extension CPUProfile {
    /// Returns a flame graph: a picture of the time in each function, as a document in SVG.
    ///
    /// A function is above the one that called it, and as wide as its part of the time. Functions of the same caller
    /// are in the order of their names. The picture needs neither scripts nor fonts; browsers show the time of a
    /// function under the pointer.
    ///
    /// - Parameters:
    ///   - title: The title, such as the name of the script.
    ///   - width: The width in pixels.
    /// - Returns: The document.
    public func flameGraph(title: String, width: Int = 1200) -> String {
        FlameGraph(self, title: title, width: max(200, width)).document
    }
}

/// A flame graph, as it is drawn.
private struct FlameGraph {
    private let title: String
    private let width: Int
    private let total: Int
    private let sampleCount: Int
    private var boxes: [Box] = []
    private var depth = 0

    private struct Box {
        let frame: CPUProfile.CallFrame
        let time: Int
        let level: Int
        let start: Int
    }

    private static let rowHeight = 18
    private static let headHeight = 44
    private static let margin = 10
    // A narrower box cannot be seen.
    private static let smallestWidth = 0.4
    // Deeper calls, as of an endless recursion, would make a picture that nothing can show.
    private static let maximumDepth = 400

    init(_ profile: CPUProfile, title: String, width: Int) {
        self.title = title
        self.width = width
        sampleCount = profile.runningSampleCount
        let parents = profile.parents
        var times = profile.selfTimes
        for index in profile.nodes.indices where profile.nodes[index].callFrame == .idle { times[index] = 0 }
        // A node follows its caller.
        for index in profile.nodes.indices.reversed() where parents[index] >= 0 {
            times[parents[index]] += times[index]
        }
        total = times.first ?? 0
        guard total > 0 else { return }
        let indices = Dictionary(uniqueKeysWithValues: profile.nodes.enumerated().map { ($1.id, $0) })
        var pending = [(index: 0, level: 0, start: 0)]
        while let (index, level, start) = pending.popLast() {
            let node = profile.nodes[index]
            guard times[index] > 0, level < Self.maximumDepth, scaled(times[index]) >= Self.smallestWidth
            else {
                continue
            }
            boxes.append(Box(frame: node.callFrame, time: times[index], level: level, start: start))
            depth = max(depth, level + 1)
            var offset = start
            let children = node.children.compactMap { indices[$0] }.sorted {
                let (first, second) = (profile.nodes[$0].callFrame, profile.nodes[$1].callFrame)
                return (first.functionName, first.lineNumber, $0) < (
                    second.functionName, second.lineNumber, $1
                )
            }
            for child in children {
                pending.append((child, level + 1, offset))
                offset += times[child]
            }
        }
    }

    private func scaled(_ time: Int) -> Double {
        Double(time) / Double(max(1, total)) * Double(width - 2 * Self.margin)
    }

    var document: String {
        let height = Self.headHeight + depth * Self.rowHeight + Self.margin
        let summary =
            total == 0 ? "no samples" : "\(DecimalText.milliseconds(total)) in \(sampleCount) samples"
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="12">
            <rect width="\(width)" height="\(height)" fill="#ffffff"/>
            <text x="\(Self.margin)" y="18" font-size="14" fill="#1f2328">\(XMLText.escaped(title))</text>
            <text x="\(Self.margin)" y="35" fill="#59636e">\(summary)</text>

            """
        for box in boxes { text += markup(box, height: height) }
        return text + "</svg>\n"
    }

    private func markup(_ box: Box, height: Int) -> String {
        let x = Double(Self.margin) + scaled(box.start)
        let width = scaled(box.time)
        let y = height - Self.margin - (box.level + 1) * Self.rowHeight
        let isRoot = box.level == 0
        let name = isRoot ? "all" : box.frame.displayName
        let percent = DecimalText.of(Double(box.time) * 100 / Double(total))
        let place = isRoot ? "" : box.frame.place.map { " (\($0))" } ?? ""
        var text =
            "<g><title>\(XMLText.escaped(name + place)): \(DecimalText.milliseconds(box.time)), \(percent) %</title>"
        let boxWidth = DecimalText.of(max(0.3, width - 0.6), decimals: 2)
        text += "<rect x=\"\(DecimalText.of(x, decimals: 2))\" y=\"\(y)\" width=\"\(boxWidth)\" "
        text +=
            "height=\"\(Self.rowHeight - 1)\" rx=\"1.5\" fill=\"\(isRoot ? "#d1d9e0" : Self.color(box.frame))\"/>"
        // A character is about 7.3 pixels wide.
        let room = Int((width - 8) / 7.3)
        if room >= 3 {
            let shown = name.count <= room ? name : name.prefix(room - 1) + "…"
            text += "<text x=\"\(DecimalText.of(x + 4, decimals: 2))\" y=\"\(y + 13)\" fill=\"#1f2328\">"
            text += "\(XMLText.escaped(String(shown)))</text>"
        }
        return text + "</g>\n"
    }

    /// Returns the color of a function: warm for scripts, by their names, and another one for native code.
    private static func color(_ frame: CPUProfile.CallFrame) -> String {
        var hash: UInt32 = 2_166_136_261
        for byte in frame.functionName.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let shade = Int(hash % 40)
        if frame.url == "jsbridge:" { return "hsl(\(190 + shade / 2),55%,72%)" }
        return frame.lineNumber < 0
            ? "hsl(\(100 + shade / 2),45%,72%)" : "hsl(\(15 + shade),85%,\(66 + shade / 6)%)"
    }
}

extension CPUProfile.CallFrame {
    /// The name for a person.
    public var displayName: String { functionName.isEmpty ? "(anonymous)" : functionName }

    /// The place of the function, as `main.js:12`, or `native`; `nil` for one without a place.
    public var place: String? {
        if lineNumber >= 0 {
            let file = url.split(separator: "/").last.map(String.init) ?? url
            return "\(file.isEmpty ? "script \(scriptID)" : file):\(lineNumber + 1)"
        }
        if url == "jsbridge:" { return "bridge" }
        return functionName.hasPrefix("(") ? nil : "native"
    }
}
