/// A pool from which events choose: mostly current elements, sometimes ended ones.
struct SchedulePool {
    private(set) var current: [SessionReference] = []
    private var ended: [SessionReference] = []

    mutating func insert(_ reference: SessionReference) { current.append(reference) }

    mutating func end(_ reference: SessionReference) {
        guard let index = current.firstIndex(of: reference) else { return }
        ended.append(current.remove(at: index))
        if ended.count > 16 { ended.removeFirst() }
    }

    func pick(_ choice: Int) -> SessionReference? {
        let isLate = choice % 9 == 8
        let list = (isLate && !ended.isEmpty) || current.isEmpty ? ended : current
        return list.isEmpty ? nil : list[choice / 9 % list.count]
    }
}
