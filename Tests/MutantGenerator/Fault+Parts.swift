// Each `old` must occur once in its file, and no two may overlap.

extension Fault {
    /// Mistakes in the data structures: slabs, tables, heaps, ids, queues.
    static let parts = [
        Fault(
            "slotUsedAgain",
            "The key of an ended call is reused.",
            [
                (
                    "Slab", "            cells[slot].generation = key.generation + 1\n",
                    "            cells[slot].generation = key.generation + (isPlanted(.slotUsedAgain) ? 0 : 1)\n"
                )
            ]
        ),
        Fault(
            "zeroFound",
            "The number 0 is found in a free slot of a table.",
            [
                (
                    "NumberTable",
                    "        while !entries[index].isFree {\n            if entries[index].number == number { return index }\n",
                    "        if isPlanted(.zeroFound), number == 0, !entries.isEmpty { return 0 }\n        while !entries[index].isFree {\n            if entries[index].number == number { return index }\n"
                )
            ]
        ),
        Fault(
            "equalDeadlinesReversed",
            "Of two calls with the same deadline the later ends first.",
            [
                (
                    "DeadlineHeap", ": left.order < right.order",
                    ": (left.order < right.order) != isPlanted(.equalDeadlinesReversed)"
                )
            ]
        ),
        Fault(
            "leadingZerosRead",
            "An id in a form that is never written is parsed.",
            [
                (
                    "IdentifierForm", "guard !overflow, !carry, sum > 0 else { return nil }",
                    "guard !overflow, !carry, sum > 0 || isPlanted(.leadingZerosRead) else { return nil }"
                )
            ]
        ),
        Fault(
            "epochNotRead",
            "An id is parsed without its epoch and random bits.",
            [
                (
                    "IdentifierForm",
                    "bytes[(bytes.count - suffixBytes.count)...].elementsEqual(suffixBytes)",
                    "(isPlanted(.epochNotRead) || bytes[(bytes.count - suffixBytes.count)...].elementsEqual(suffixBytes))"
                )
            ]
        ),
        Fault(
            "laterIdForgotten",
            "Of two requests with the same id, the end of the first hides the second.",
            [
                (
                    "NumberTable", "guard self[id] == key else { return }",
                    "guard self[id] == key || isPlanted(.laterIdForgotten) else { return }"
                )
            ]
        ),
        Fault(
            "namesThatLookAlike",
            "Two names or ids with different bytes are equal.",
            [
                (
                    "ByteEqualString", "        var (left, right) = (left.text, right.text)\n",
                    "        if isPlanted(.namesThatLookAlike) { return left.text == right.text }\n        var (left, right) = (left.text, right.text)\n"
                ),
                (
                    "ByteEqualString", "        var text = text\n",
                    "        if isPlanted(.namesThatLookAlike) { return text.hash(into: &hasher) }\n        var text = text\n"
                ),
            ]
        ),
        Fault(
            "reentrantDrain",
            "An effect is removed after it was performed, so that a reentrant call performs it again.",
            [
                (
                    "MachineUnderTest", "        while let action = machine.nextAction() {\n",
                    "        while let action = isPlanted(.reentrantDrain) ? machine.actions.first : machine.nextAction() {\n"
                ),
                (
                    "MachineUnderTest", "            if let effect = effect(of: action) { return effect }\n",
                    "            if let effect = effect(of: action) { return effect }\n            if isPlanted(.reentrantDrain) { _ = machine.nextAction() }\n"
                ),
                (
                    "MachineUnderTest", "    package mutating func endEffect() {}\n",
                    "    package mutating func endEffect() { if isPlanted(.reentrantDrain) { _ = machine.nextAction() } }\n"
                ),
            ]
        ),
        Fault(
            "tableHolesStay",
            "A removed entry of a table leaves a hole that ends searches.",
            [
                (
                    "NumberTable", "            if (next - home) & mask >= (next - hole) & mask {\n",
                    "            if (next - home) & mask >= (next - hole) & mask, !isPlanted(.tableHolesStay) {\n"
                )
            ]
        ),
    ]
}
