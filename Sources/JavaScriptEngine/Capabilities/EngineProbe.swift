internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// A probe of the private layout of the loaded engine.
///
/// The C API creates samples of known content, and memory is read through the system, which reports an invalid address.
/// A wrong layout is therefore detected and never ends the process. A field is accepted if it holds for all samples,
/// and derived if exactly one value is accepted.
///
/// The engine's lock must be held during all of it.
struct EngineProbe {
    private let context: JSGlobalContextRef
    private let narrow: [StringSample]
    private let wide: [StringSample]
    private let ropes: [[UInt64]]
    private let plainObjects: [[UInt64]]
    /// One cell of each other kind.
    private let others: [[UInt64]]
    private let promises: [[UInt64]]
    /// The results of these promises; `nil` for one that is pending.
    private let promiseResults: [UInt64?]
    private let dataSamples: [DataSample]
    private let frames: [[UInt64]]
    private let function: UInt64

    /// The number of words of a cell that are examined.
    private static let cellWords = 4
    /// The number of bytes of a string's record that are examined.
    private static let recordBytes = 40
    private static let frameSlots = 12

    private struct StringSample {
        let cell: [UInt64]
        let units: [UInt16]
        /// The record that each word of the cell points to.
        let records: [Record?]
    }

    private struct Record {
        let bytes: [UInt8]
        /// The characters that each word of the record points to.
        let characters: [[UInt8]?]

        func word(at byte: Int) -> UInt32? {
            guard byte >= 0, byte + 4 <= bytes.count, byte % 4 == 0 else { return nil }
            return bytes.withUnsafeBytes { $0.load(fromByteOffset: byte, as: UInt32.self) }
        }
    }

    private struct DataSample {
        let address: UInt64
        /// The first word of the memory that each word of the cell points to.
        let targets: [UInt64?]
    }
}

// MARK: - Accepting and deriving

extension EngineProbe {
    /// Describes the first field of a layout that does not match the loaded engine; `nil` if all fields match.
    func misfit(of layout: EngineProfile.Layout) -> String? {
        if layout.numbers != numbers || layout.numbers != .ours {
            return "numbers are encoded in another way"
        }
        if !accepts(typeByte: layout.typeByte) { return "the type is not byte \(layout.typeByte) of a cell" }
        if layout.stringType != stringType(at: layout.typeByte) { return "a string is of another type" }
        let string = layout.string
        if !accepts(record: string) { return "a string is stored in another way" }
        if !accepts(ropeBit: string.ropeBit, word: string.word) { return "a rope is marked in another way" }
        if !accepts(narrowBit: string.narrowBit, of: string) {
            return "a narrow string is marked in another way"
        }
        if !accepts(privateData: layout.privateData) {
            return "an object's private data is kept in another way"
        }
        return accepts(frame: layout.frame) ? nil : "a call's frame is laid out in another way"
    }

    /// Returns the layout, or `nil` if a field has no accepted value or more than one.
    func layout() -> EngineProfile.Layout? {
        guard let typeByte = only(Array(0..<8), where: { accepts(typeByte: $0) }),
            let stringType = stringType(at: typeByte), let string = stringLayout(),
            let privateData = only(Array(1..<Self.cellWords), where: { accepts(privateData: $0) }),
            let frame = only(Self.frameCandidates, where: { accepts(frame: $0) })
        else { return nil }
        return EngineProfile.Layout(
            numbers: numbers,
            typeByte: typeByte,
            stringType: stringType,
            string: string,
            privateData: privateData,
            frame: frame
        )
    }

    /// Returns whether a promise stores its state in the given bits.
    func accepts(promise field: EngineProfile.BitField) -> Bool {
        guard (1..<Self.cellWords).contains(field.word), (0..<63).contains(field.shift), !promises.isEmpty
        else {
            return false
        }
        return promises.enumerated().allSatisfy { index, cell in
            cell[field.word] >> UInt64(field.shift) & 3 == UInt64(index % 3)
        }
    }

    /// Returns the bits in which a promise stores its state, or `nil` if they cannot be derived.
    func promise() -> EngineProfile.BitField? {
        let candidates = (1..<Self.cellWords).flatMap { word in
            (0..<63).map { EngineProfile.BitField(word: word, shift: $0) }
        }
        return only(candidates) { accepts(promise: $0) }
    }

    /// A Boolean value that indicates whether byte 5 of a cell is its kind, by which a promise is recognized.
    var knowsKinds: Bool { accepts(typeByte: 5) }

    /// Returns whether a settled promise stores its result in the given word.
    func accepts(promiseResult word: Int) -> Bool {
        guard (1..<Self.cellWords).contains(word) else { return false }
        return zip(promises, promiseResults).allSatisfy { cell, result in
            result.map { cell[word] == $0 } ?? true
        }
    }

    /// Returns the word in which a settled promise stores its result, or `nil` if it cannot be derived.
    func promiseResult() -> Int? { only(Array(1..<Self.cellWords)) { accepts(promiseResult: $0) } }

    private func only<Candidate>(_ candidates: [Candidate], where fits: (Candidate) -> Bool) -> Candidate? {
        let found = candidates.filter(fits)
        return found.count == 1 ? found[0] : nil
    }

    private var numbers: EngineProfile.Numbers {
        EngineProfile.Numbers(
            doubleOffset: EncodedValue(JSValueMakeNumber(context, 0.5)).bits &- (0.5).bitPattern,
            integerTag: EncodedValue(JSValueMakeNumber(context, 7)).bits &- 7,
            undefined: EncodedValue(JSValueMakeUndefined(context)).bits,
            null: EncodedValue(JSValueMakeNull(context)).bits,
            false: EncodedValue(JSValueMakeBoolean(context, false)).bits,
            true: EncodedValue(JSValueMakeBoolean(context, true)).bits
        )
    }

    /// Returns whether the byte is equal among strings, equal among plain objects of any shape, and different between
    /// kinds.
    private func accepts(typeByte: Int) -> Bool {
        guard (0..<8).contains(typeByte) else { return false }
        func type(_ cell: [UInt64]) -> UInt64 { cell[0] >> UInt64(8 * typeByte) & 0xFF }
        let strings = Set((narrow + wide).map { type($0.cell) } + ropes.map(type))
        let objects = Set(plainObjects.map(type))
        return strings.count == 1 && objects.count == 1
            && strings.union(objects).union(others.map(type)).count == 2 + others.count
    }

    private func stringType(at typeByte: Int) -> Int? {
        guard let cell = narrow.first?.cell, (0..<8).contains(typeByte) else { return nil }
        return Int(cell[0] >> UInt64(8 * typeByte) & 0xFF)
    }

    private func accepts(record string: EngineProfile.StringLayout) -> Bool {
        (narrow + wide).allSatisfy { sample in
            guard sample.records.indices.contains(string.word), let record = sample.records[string.word],
                string.characters >= 0, string.characters % 8 == 0,
                record.characters.indices.contains(string.characters / 8),
                let bytes = record.characters[string.characters / 8]
            else { return false }
            return record.word(at: string.length) == UInt32(sample.units.count)
                && bytes == Self.bytes(of: sample.units)
        }
    }

    private func accepts(ropeBit: Int, word: Int) -> Bool {
        // Higher bits belong to addresses, which may differ between the two by chance.
        guard (0..<4).contains(ropeBit), (1..<Self.cellWords).contains(word) else { return false }
        return ropes.allSatisfy { $0[word] >> UInt64(ropeBit) & 1 == 1 }
            && (narrow + wide).allSatisfy { $0.cell[word] >> UInt64(ropeBit) & 1 == 0 }
    }

    private func accepts(narrowBit: Int, of string: EngineProfile.StringLayout) -> Bool {
        guard (0..<32).contains(narrowBit) else { return false }
        func isSet(_ sample: StringSample) -> Bool? {
            guard sample.records.indices.contains(string.word) else { return nil }
            return sample.records[string.word]?.word(at: string.flags).map {
                $0 >> UInt32(narrowBit) & 1 == 1
            }
        }
        return narrow.allSatisfy { isSet($0) == true } && wide.allSatisfy { isSet($0) == false }
    }

    private func stringLayout() -> EngineProfile.StringLayout? {
        var candidates: [EngineProfile.StringLayout] = []
        for word in 1..<Self.cellWords {
            for length in stride(from: 0, to: Self.recordBytes, by: 4) {
                for characters in stride(from: 0, to: Self.recordBytes, by: 8) {
                    candidates.append(
                        EngineProfile.StringLayout(
                            word: word,
                            ropeBit: 0,
                            length: length,
                            characters: characters,
                            flags: 0,
                            narrowBit: 0
                        )
                    )
                }
            }
        }
        guard var string = only(candidates, where: { accepts(record: $0) }) else { return nil }
        guard let ropeBit = only(Array(0..<4), where: { accepts(ropeBit: $0, word: string.word) }) else {
            return nil
        }
        string.ropeBit = ropeBit
        let flags = stride(from: 0, to: Self.recordBytes, by: 4).flatMap { flags in
            (0..<32).map { bit in
                var candidate = string
                (candidate.flags, candidate.narrowBit) = (flags, bit)
                return candidate
            }
        }
        return only(flags) { candidate in
            // The samples' lengths and addresses have bits in common by chance.
            candidate.flags != string.length && candidate.flags / 8 != string.characters / 8
                && accepts(narrowBit: candidate.narrowBit, of: candidate)
        }
    }

    private func accepts(privateData word: Int) -> Bool {
        dataSamples.allSatisfy { $0.targets.indices.contains(word) && $0.targets[word] == $0.address }
    }

    private static var frameCandidates: [EngineProfile.Frame] {
        let slots = 0..<frameSlots - 3
        return slots.flatMap { callee in
            slots.flatMap { count in
                slots.map { EngineProfile.Frame(callee: callee, count: count, firstArgument: $0) }
            }
        }
    }

    /// Returns whether the frames of `probe(probe, globalThis, 7)` contain the function, a count of four with `this`,
    /// and the arguments.
    private func accepts(frame: EngineProfile.Frame) -> Bool {
        let slots = 0..<Self.frameSlots - 3
        guard slots.contains(frame.callee), slots.contains(frame.count), slots.contains(frame.firstArgument),
            frame.callee < frame.firstArgument, !frames.isEmpty
        else { return false }
        let seven = EncodedValue(JSValueMakeNumber(context, 7)).bits
        return frames.allSatisfy { slots in
            slots[frame.callee] == function && UInt32(truncatingIfNeeded: slots[frame.count]) == 4
                && slots[frame.firstArgument] == function && slots[frame.firstArgument + 2] == seven
        }
    }
}

// MARK: - Samples

extension EngineProbe {
    /// Creates the samples, or returns `nil` if the engine or the system does not provide one.
    init?(in context: JSGlobalContextRef) {
        var reader = jsb_memory_reader()
        guard jsb_memory_reader_open(&reader) else { return nil }
        defer { jsb_memory_reader_close(&reader) }
        let maker = SampleMaker(context: context, reader: reader)
        self.context = context
        // The narrow strings' characters have no bit in common: a string may store its characters in its record.
        let narrowScripts = [
            "'plain, narrow text'", "'caf\\u00e9'", "'n' + 12345", "'\\u0001'.repeat(40)",
            "'\\u0002'.repeat(40)",
        ]
        let wideScripts = [
            "'wide \\u20ac'", "'\\ud83d\\ude00 and more'", "'\\u4e2d\\u6587'", "'\\u0416' + '1'",
        ]
        let ropeScripts = [
            "(a => a + a)('a narrow rope, not flat ' + Math.random())",
            "(a => a + a)('a wide one \\u20ac, not flat ' + Math.random())",
        ]
        let objectScripts = (0..<6).map { "{ p\($0): 1, q\($0 % 2): 2 }" }
        let otherScripts = [
            "[1, 2]", "() => 1", "Symbol('probe')", "123456789012345678901234567890n",
            "new Promise(() => {})",
            "new Map()", "/probe/",
        ]
        // Three of each: pending, fulfilled, rejected; with the result of a settled one.
        let promiseScripts: [(script: String, result: String?)] = [
            ("new Promise(() => {})", nil), ("Promise.resolve(5)", "5"), ("caught(Promise.reject(1))", "1"),
            ("new Promise(r => r(new Promise(() => {})))", nil), ("(async () => {})()", "undefined"),
            ("caught((async () => { throw 1 })())", "1"), ("pending.then(() => 0)", nil),
            ("new Promise(r => r(Array))", "Array"), ("caught(new Promise((_, reject) => reject(1)))", "1"),
        ]
        // One script for all: a script costs more than its samples, and each process waits for them.
        let groups = maker.values([
            narrowScripts, wideScripts, ropeScripts, objectScripts, otherScripts,
            promiseScripts.map(\.script),
            promiseScripts.map { $0.result ?? "null" },
        ])
        guard groups.count == 7 else { return nil }
        narrow = groups[0].compactMap(maker.string)
        wide = groups[1].compactMap(maker.string)
        ropes = groups[2].compactMap(maker.cell)
        plainObjects = groups[3].compactMap(maker.cell)
        others = groups[4].compactMap(maker.cell)
        promises = groups[5].compactMap(maker.cell)
        promiseResults = zip(promiseScripts, groups[6]).map { $0.result == nil ? nil : EncodedValue($1).bits }
        dataSamples = maker.dataSamples()
        (function, frames) = maker.frames()
        guard narrow.count == narrowScripts.count, wide.count == wideScripts.count, ropes.count == 2,
            plainObjects.count == 6,
            others.count == 7, promises.count == 9,
            dataSamples.count == 2
        else { return nil }
    }

    private static func bytes(of units: [UInt16]) -> [UInt8] {
        units.allSatisfy { $0 < 0x100 }
            ? units.map { UInt8(truncatingIfNeeded: $0) }
            : units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    /// A factory of samples, which copies their memory.
    private struct SampleMaker {
        let context: JSGlobalContextRef
        let reader: jsb_memory_reader

        func read(_ address: UInt64, count: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            let isRead = withUnsafePointer(to: reader) { jsb_read_memory($0, address, &bytes, count) }
            return isRead ? bytes : nil
        }

        func words(_ address: UInt64, count: Int) -> [UInt64]? {
            read(address, count: count * 8).map { bytes in
                bytes.withUnsafeBytes { bytes in
                    (0..<count).map { bytes.load(fromByteOffset: $0 * 8, as: UInt64.self) }
                }
            }
        }

        /// Returns the value of a script, protected for the life of the context.
        func evaluate(_ script: String) -> JSValueRef? {
            let value = EngineString.with(script) { JSEvaluateScript(context, $0, nil, nil, 1, nil) }
            if let value { JSValueProtect(context, value) }
            return value
        }

        /// Returns the values of groups of expressions; nothing if one of them throws.
        func values(_ groups: [[String]]) -> [[JSValueRef]] {
            let script = """
                const pending = new Promise(() => {}), caught = p => (p.catch(() => 0), p);
                [\(groups.map { "[\($0.joined(separator: ",\n"))]" }.joined(separator: ",\n"))]
                """
            guard let all = evaluate(script) else { return [] }
            return groups.enumerated().compactMap { index, group in
                guard let values = JSObjectGetPropertyAtIndex(context, all, UInt32(index), nil) else {
                    return nil
                }
                return group.indices.compactMap {
                    JSObjectGetPropertyAtIndex(context, values, UInt32($0), nil)
                }
            }
        }

        func cell(_ value: JSValueRef) -> [UInt64]? {
            words(EncodedValue(value).bits, count: EngineProbe.cellWords)
        }

        func string(_ value: JSValueRef) -> StringSample? {
            guard let copy = JSValueToStringCopy(context, value, nil) else { return nil }
            // Copying has flattened a rope.
            let units = EngineString.withUnits(of: copy) { Array($0) }
            JSStringRelease(copy)
            guard let cell = words(EncodedValue(value).bits, count: EngineProbe.cellWords) else { return nil }
            let count = EngineProbe.bytes(of: units).count
            let records = cell.enumerated().map { index, word -> Record? in
                guard index > 0, let bytes = read(word, count: EngineProbe.recordBytes) else { return nil }
                let characters = (0..<bytes.count / 8).map { word in
                    let address = bytes.withUnsafeBytes { $0.load(fromByteOffset: word * 8, as: UInt64.self) }
                    return read(address, count: count)
                }
                return Record(bytes: bytes, characters: characters)
            }
            return StringSample(cell: cell, units: units, records: records)
        }

        func dataSamples() -> [DataSample] {
            var definition = kJSClassDefinitionEmpty
            let type = JSClassCreate(&definition)
            defer { JSClassRelease(type) }
            return [0x5A5A_0000_1111, 0x5A5A_0000_2222].compactMap { address in
                guard let object = JSObjectMake(context, type, UnsafeMutableRawPointer(bitPattern: address))
                else { return nil }
                JSValueProtect(context, object)
                let cell = words(EncodedValue(object).bits, count: EngineProbe.cellWords) ?? []
                let targets = cell.enumerated().map { index, word in
                    index == 0 ? nil : words(word, count: 1)?[0]
                }
                return DataSample(address: UInt64(address), targets: targets)
            }
        }

        /// Creates a host function, and returns it with the frames of some of its calls.
        func frames() -> (function: UInt64, frames: [[UInt64]]) {
            guard
                let function = jsb_make_host_function(
                    context,
                    { global, frame in
                        guard let global, let frame else { return EncodedValue.null.bits }
                        let slots = (0..<EngineProbe.frameSlots).map { frame[$0] }
                        FrameCopies.add(slots, of: UInt(bitPattern: global))
                        return EncodedValue.undefined.bits
                    }
                )
            else { return (0, []) }
            EngineString.with("probe") {
                JSObjectSetProperty(context, JSContextGetGlobalObject(context), $0, function, 0, nil)
            }
            _ = evaluate("for (let index = 0; index < 3; index++) probe(probe, globalThis, 7)")
            return (EncodedValue(function).bits, FrameCopies.take(of: UInt(bitPattern: context)))
        }
    }
}

/// The frames that the probes' host functions have seen, by context, because such a function cannot carry a pointer of
/// ours.
private enum FrameCopies {
    private static let frames = Mutex<[UInt: [[UInt64]]]>([:])

    static func add(_ frame: [UInt64], of context: UInt) {
        frames.withLock { $0[context, default: []].append(frame) }
    }

    static func take(of context: UInt) -> [[UInt64]] {
        frames.withLock { $0.removeValue(forKey: context) ?? [] }
    }
}
