import CSQLite
import CStoreFaults
import Foundation
import Stores
import StoresSQLite
import TestSupport
import Testing

/// Tests with a full disk, and with a disk that loses power.
@Suite struct DiskTests {
    @Test("R34 on a disk that is full after any number of bytes the store stays intact, with a typed error")
    func full() async {
        await #expect(processExitsWith: .success) {
            do { try Self.fillDisk() } catch { Issue.record(error) }
        }
    }

    @Test("R34 with a file that the system does not let grow the store stays intact, with a typed error")
    func fileSizeLimit() async {
        await #expect(processExitsWith: .success) {
            do { try Self.limitFileSize() } catch { Issue.record(error) }
        }
    }

    @Test(
        "R34 after a power loss only whole commits are lost, the newest first"
    )
    func power() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            do { try Self.cutPower() } catch { Issue.record(error) }
        }
        let lines = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(
            separator: "\n"
        )
        for line in lines where line.hasPrefix("store power") { print(line) }
    }

    // MARK: - Full disks

    private static func grow(_ store: SQLiteStore, _ numbers: Range<Int>) throws {
        try store.write { transaction in
            for number in numbers {
                let text = AttributeValue.string(String(repeating: "x", count: 300) + "\(number)")
                try transaction.insert(into: "person", ["name": text])
            }
        }
    }

    private static func fillDisk() throws {
        try Fault.install()
        let folder = try TemporaryFolder()
        let start = try StoreOperation.makeStart(.rows, in: folder)
        let before = try PlainDatabase(path: start).content()
        var (bytes, refusals, isThrough) = (0, 0, false)
        while !isThrough {
            let path = try folder.copy(start, as: "full.db")
            let store = try StoreScene.open(path)
            store_faults_limit_disk(bytes)
            do {
                try grow(store, 0..<60)
                isThrough = true
            } catch let error as StoreError {
                refusals += 1
                #expect(error == StoreError(.full, "\(path): the disk or the store's own size limit is full"))
            }
            store_faults_limit_disk(-1)
            let content = try PlainDatabase(path: path).content()
            #expect(content.count == before.count + (isThrough ? 60 : 0), "after \(bytes) bytes")
            try grow(store, 100..<101)
            try store.close()
            let integrity = try PlainDatabase(path: path).integrity()
            #expect(integrity == "ok", "after \(bytes) bytes")
            bytes += 1_000
        }
        #expect(refusals > 10)
    }

    private static func limitFileSize() throws {
        // The signal's default action kills the process; a program that wants the error ignores it.
        signal(SIGXFSZ, SIG_IGN)
        let folder = try TemporaryFolder()
        let start = try StoreOperation.makeStart(.rows, in: folder)
        var whole = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &whole)
        for kibibytes in stride(from: 1, to: 60, by: 3) {
            let path = try folder.copy(start, as: "limited.db")
            let store = try StoreScene.open(path)
            var limit = rlimit(rlim_cur: rlim_t(kibibytes * 1_024), rlim_max: whole.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            var refusal: StoreError?
            do { try grow(store, 0..<400) } catch let error as StoreError { refusal = error }
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &whole)
            #expect(refusal?.code == .full || refusal?.code == .cannotOpen, "\(String(describing: refusal))")
            #expect(refusal?.message.hasPrefix(path) == true)
            try grow(store, 500..<501)
            let count = try store.read { try $0.count(FetchRequest(entityName: "person")) }
            #expect(count == 41, "\(kibibytes) KiB")
            try store.close()
            let integrity = try PlainDatabase(path: path).integrity()
            #expect(integrity == "ok", "\(kibibytes) KiB")
        }
    }

    // MARK: - Power

    private static func cutPower() throws {
        let cuts = ProcessInfo.processInfo.environment["JSBRIDGE_STRESS"] == nil ? 60 : 500
        var random = SeededGenerator.fromEnvironment()
        try Fault.install()
        let folder = try TemporaryFolder()
        store_faults_record(folder.path)
        let store = try StoreScene.open(folder.file("power.db"))
        try store.createEntity(StoreOperation.person)
        var states: [[String]] = [[]]
        var (next, lost) = (0, 0)
        for cut in 0..<cuts {
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                try store.write { transaction in
                    for _ in 0..<Int.random(in: 1...8, using: &random) {
                        try transaction.insert(into: "person", StoreOperation.values(next))
                        next += 1
                    }
                    if next > 40 { try transaction.delete(from: "person", id: Int64(next - 30)) }
                }
                states.append(try names(store))
            }
            let copy = try TemporaryFolder()
            let files = store_faults_cut(copy.path, random.next())
            #expect(files > 0)
            let path = copy.file("power.db")
            let after = try StoreScene.open(path)
            let found = after.entities["person"] == nil ? [] : try names(after)
            let kept = states.lastIndex(of: found)
            #expect(kept != nil, "cut \(cut) leaves no commit's state, \(random.origin)")
            lost += states.count - 1 - (kept ?? 0)
            try after.createEntity(StoreOperation.person)
            try after.write { try $0.insert(into: "person", StoreOperation.values(1_000_000)) }
            try after.close()
            let integrity = try PlainDatabase(path: path).integrity()
            #expect(integrity == "ok", "cut \(cut), \(random.origin)")
        }
        try store.close()
        print("store power cuts: \(cuts), \(states.count) commits, \(lost) of them undone, none by half")
        // Power cuts that lose nothing would test nothing.
        #expect(lost > cuts / 4)
    }

    private static func names(_ store: SQLiteStore) throws -> [String] {
        let request = FetchRequest(entityName: "person", sortDescriptors: [.init("name")])
        return try store.read { try $0.fetch(request) }.map { "\($0.id) \($0.values[0])" }
    }
}
