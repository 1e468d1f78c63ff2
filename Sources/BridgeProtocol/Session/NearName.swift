/// Returns the registered name that a mistyped name was probably meant to be.
///
/// - Returns: A name that differs only in case, or by at most two edits (one in names of fewer than six
///   characters); of several the nearest, then the first by Unicode order. `nil` for long names and long
///   arrays, where the search would cost more than the hint is worth.
func nearName(to name: String, among names: some Collection<String>) -> String? {
    let wanted = Array(name.unicodeScalars.prefix(65))
    guard !wanted.isEmpty, wanted.count <= 64, names.count <= 1000 else { return nil }
    let allowed = wanted.count < 6 ? 1 : 2
    let folded = name.lowercased()
    var best: (distance: Int, name: String)?
    for candidate in names where candidate.utf8.count <= 256 {
        let distance =
            candidate.lowercased() == folded
            ? 0 : editDistance(wanted, Array(candidate.unicodeScalars), atMost: allowed)
        guard let distance else { continue }
        if let best, (best.distance, best.name) <= (distance, candidate) { continue }
        best = (distance, candidate)
    }
    return best?.name
}

/// Counts the insertions, deletions, replacements and transpositions between two strings; `nil` above the limit.
private func editDistance(_ from: [Unicode.Scalar], _ to: [Unicode.Scalar], atMost limit: Int) -> Int? {
    guard abs(from.count - to.count) <= limit else { return nil }
    var beforeLast: [Int] = []
    var last = Array(0...to.count)
    for (row, scalar) in from.enumerated() {
        var current = [row + 1]
        for (column, other) in to.enumerated() {
            var distance = min(
                last[column + 1] + 1,
                current[column] + 1,
                last[column] + (scalar == other ? 0 : 1)
            )
            if row > 0, column > 0, scalar == to[column - 1], from[row - 1] == other {
                distance = min(distance, beforeLast[column - 1] + 1)
            }
            current.append(distance)
        }
        guard current.contains(where: { $0 <= limit }) else { return nil }
        beforeLast = last
        last = current
    }
    return last[to.count] <= limit ? last[to.count] : nil
}
