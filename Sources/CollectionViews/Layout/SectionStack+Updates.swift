internal import DataSources

extension SectionStack {
    /// Edits the sections and rows by the changes of a batch.
    ///
    /// Neighbouring rows that leave or arrive are one edit, and moved rows keep their lengths.
    ///
    /// - Parameters:
    ///   - updates: The changes, which keep the rules of batch updates.
    ///   - estimate: The length of an inserted row, with its spacing.
    ///   - makeSection: Returns an inserted section with all its rows.
    /// - Complexity: O(c log n) in the changes; O(s) in the sections if sections change.
    mutating func apply(_ updates: LayoutUpdates, estimate: Int, makeSection: (Int) -> Section) {
        let difference = updates.difference
        let tracking = updates.tracking
        var moved: [ItemPath: LengthRun] = [:]
        for move in difference.moves {
            moved[move.new] = sections[Int(move.old.section)].body.run(at: Int(move.old.item))
        }
        for old in tracking.leavingSections where tracking.newSection(of: old) != nil {
            let leaving = tracking.leavingItems(of: old).ranges
            update(Int(old)) { section in
                for range in leaving.reversed() { section.body.remove(range) }
            }
        }
        arrange(difference, tracking, makeSection)
        for new in tracking.arrivingSections {
            let arriving = tracking.arrivingItems(of: new)
            let isInserted = tracking.oldSection(of: new) == nil
            update(Int(new)) { section in
                if isInserted {
                    // The section has all its rows; those that moved into it bring their lengths.
                    for item in arriving {
                        guard let run = moved[ItemPath(section: Int(new), item: item)] else { continue }
                        section.body.setLength(run.length, isMeasured: run.isMeasured, at: item)
                    }
                    return
                }
                for range in arriving.ranges {
                    guard !moved.isEmpty else {
                        let run = LengthRun(count: range.count, length: estimate, isMeasured: false)
                        section.body.insert([run], at: range.lowerBound)
                        continue
                    }
                    let runs = range.map { item in
                        moved[ItemPath(section: Int(new), item: item)]
                            ?? LengthRun(count: 1, length: estimate, isMeasured: false)
                    }
                    section.body.insert(runs, at: range.lowerBound)
                }
            }
        }
        for pair in difference.updates {
            update(Int(pair.new.section)) { section in
                let length = section.body.run(at: Int(pair.new.item)).length
                section.body.setLength(length, isMeasured: false, at: Int(pair.new.item))
            }
        }
    }

    private mutating func arrange(
        _ difference: Difference,
        _ tracking: PathTracking,
        _ makeSection: (Int) -> Section
    ) {
        guard
            !difference.sectionDeletes.isEmpty || !difference.sectionInserts.isEmpty
                || !difference.sectionMoves.isEmpty
        else { return }
        let count = sections.count - difference.sectionDeletes.count + difference.sectionInserts.count
        let arranged = (0..<count).map { new in
            tracking.oldSection(of: Int32(new)).map { sections[Int($0)] } ?? makeSection(new)
        }
        self = SectionStack(arranged)
    }
}

extension [Int] {
    /// Ascending numbers as ranges of neighbours.
    fileprivate var ranges: [Range<Int>] {
        var ranges: [Range<Int>] = []
        for number in self {
            if let last = ranges.last, last.upperBound == number {
                ranges[ranges.count - 1] = last.lowerBound..<number + 1
            } else {
                ranges.append(number..<number + 1)
            }
        }
        return ranges
    }
}
