/// Functions for error messages: safe quotation of names, and suggestions of similar names.
package enum MessageText {
    /// Returns a name or value in quotation marks, on one line and truncated to 80 Unicode scalars.
    package static func quoted(_ text: String) -> String {
        let limit = 80
        let shown = text.unicodeScalars.prefix(limit).map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return "'\(shown.joined())\(text.unicodeScalars.dropFirst(limit).isEmpty ? "" : "...")'"
    }

    /// Returns " (did you mean 'name'?)" with up to three similar names, or an empty string.
    package static func suggestion(for name: String, among names: some Sequence<String>) -> String {
        let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
        let allowed = max(1, wanted.count / 3)
        let near =
            names
            .map { (name: $0, distance: distance(wanted, Array($0.lowercased().unicodeScalars.prefix(64)))) }
            .filter { $0.distance <= allowed }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(3)
        let names = near.map { quoted($0.name) }.joined(separator: " or ")
        return near.isEmpty ? "" : " (did you mean \(names)?)"
    }

    /// Returns the number of scalars to insert, remove, replace or swap with a neighbor.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1..<(left.count + 1) {
            var current = [row]
            for column in 1..<(right.count + 1) {
                let same = left[row - 1] == right[column - 1]
                var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
                let isSwap =
                    row > 1 && column > 1
                    && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1]
                if isSwap {
                    best = min(best, beforeLast[column - 2] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
