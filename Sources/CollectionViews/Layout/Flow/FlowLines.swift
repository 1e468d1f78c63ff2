/// The lines of one section of a flow layout, and the position of each item across them.
///
/// Items of one size need no memory: lines and positions are computed. Items of different sizes are packed into lines
/// once.
struct FlowLines {
    /// A line of items of different sizes.
    struct Line {
        var items: Range<Int>
        /// The longest length of the items, along the scroll direction.
        var length: Double
        /// The sum of the items' breadths.
        var breadth: Double
    }

    /// The sizes of the items along and across the scroll direction.
    enum Sizes {
        case uniform(length: Double, breadth: Double)
        case each([(length: Double, breadth: Double)])
    }

    let count: Int
    /// The breadth that the items share.
    let available: Double
    /// The least distance between two items.
    let spacing: Double
    let sizes: Sizes
    /// The packed lines of items of different sizes.
    private(set) var packed: [Line] = []
    /// The sums of the breadths before each item of different sizes in its line.
    private var before: [Double] = []
    /// The number of items in a full line of items of one size.
    private(set) var perLine = 1

    init(count: Int, sizes: Sizes, available: Double, spacing: Double) {
        self.count = count
        self.sizes = sizes
        self.available = available
        self.spacing = spacing
        switch sizes {
        case .uniform(_, let breadth):
            let fitting = ((available + spacing) / (breadth + spacing)).rounded(.down)
            perLine = fitting.isNaN || fitting < 1 ? 1 : Int(min(fitting, Double(max(1, count))))
        case .each(let sizes): (packed, before) = Self.pack(sizes, available, spacing)
        }
    }

    private static func pack(
        _ sizes: [(length: Double, breadth: Double)],
        _ available: Double,
        _ spacing: Double
    ) -> (lines: [Line], before: [Double]) {
        var lines: [Line] = []
        var before: [Double] = []
        before.reserveCapacity(sizes.count)
        var used = 0.0
        for (item, size) in sizes.enumerated() {
            if let last = lines.indices.last, used + spacing + size.breadth <= available {
                before.append(lines[last].breadth)
                lines[last].items = lines[last].items.lowerBound..<item + 1
                lines[last].length = max(lines[last].length, size.length)
                lines[last].breadth += size.breadth
                used += spacing + size.breadth
            } else {
                before.append(0)
                lines.append(Line(items: item..<item + 1, length: size.length, breadth: size.breadth))
                used = size.breadth
            }
        }
        return (lines, before)
    }

    /// Returns the lengths of the lines, each with the distance to the next one, in parts.
    func lengths(lineSpacing: Int) -> LengthIndex {
        guard case .uniform(let length, _) = sizes else {
            let runs = packed.map {
                LengthRun(count: 1, length: FixedLength.parts($0.length) + lineSpacing, isMeasured: true)
            }
            return LengthIndex(runs: runs)
        }
        return LengthIndex(
            count: (count + perLine - 1) / perLine,
            length: FixedLength.parts(length) + lineSpacing
        )
    }

    /// Returns the line of an item.
    func line(of item: Int) -> Int {
        guard case .each = sizes else { return item / perLine }
        var low = 0
        var high = packed.count
        while low < high {
            let middle = (low + high) / 2
            if packed[middle].items.upperBound > item { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the items of a line.
    func items(ofLine line: Int) -> Range<Int> {
        guard case .each = sizes else { return line * perLine..<min(count, (line + 1) * perLine) }
        return packed[line].items
    }

    /// Returns the position of an item across the scroll direction, and its size.
    ///
    /// Full lines fill the available breadth. The last line has the distances of the lines before it if all items have
    /// one size, and the least distance otherwise.
    func place(of item: Int) -> (across: Double, breadth: Double, length: Double) {
        switch sizes {
        case .uniform(let length, let breadth):
            guard perLine > 1 else { return (max(0, (available - breadth) / 2), breadth, length) }
            let gap = max(spacing, (available - Double(perLine) * breadth) / Double(perLine - 1))
            return (Double(item % perLine) * (breadth + gap), breadth, length)
        case .each(let sizes):
            let line = packed[line(of: item)]
            let size = sizes[item]
            let isLast = line.items.upperBound == count
            let gaps = Double(line.items.count - 1)
            if gaps == 0, !isLast {
                return (max(0, (available - size.breadth) / 2), size.breadth, size.length)
            }
            let gap = isLast ? spacing : max(spacing, (available - line.breadth) / gaps)
            let across = before[item] + Double(item - line.items.lowerBound) * gap
            return (across, size.breadth, size.length)
        }
    }
}
