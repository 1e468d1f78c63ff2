import BridgeValues
import CMemoryFigures
import CollectionViews
import Dispatch
import Foundation
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

@testable import PageViews

@Suite("Files that are dropped on a page")
struct DroppedFileTests {
    /// A host with one page, whose files a test sends message by message.
    private final class FilePage: Sendable {
        let socket = SocketDouble()
        let host: PageHost
        nonisolated(unsafe) private let run: SessionRun
        nonisolated(unsafe) let shelf: DropShelf
        let queue = DispatchQueue(label: "files")

        init(limit: Int? = nil) async throws {
            let run = SessionRun(count: 100)
            run.content.fileLimit = limit ?? run.content.fileLimit
            self.run = run
            shelf = DropShelf(run)
            nonisolated(unsafe) let shared = run
            host = PageHost(executor: .queue(queue)) { Page(view: shared.view, content: shared.content) }
            host.opened(socket)
            receive(
                #"{"handlerName":"view.open","data":{"protocol":1,"width":200,"height":100},"callbackId":"o","x":{"acc":["bin","err","stream"]}}"#
            )
            _ = await socket.message { $0["responseId"] == "o" }
        }

        func receive(_ message: String) { host.received("[\(message)]", from: socket) }

        /// Drops files, and returns the reply.
        func drop(_ files: [(name: String, size: Int)]) async throws -> Value {
            let list = files.enumerated().map { index, file in
                #"{"name":"\#(file.name)","type":"","size":\#(file.size),"handle":\#(index + 1)}"#
            }
            let types = files.map { _ in #""""# }.joined(separator: ",")
            receive(
                #"{"handlerName":"view.drop","data":{"types":[],"fileTypes":[\#(types)],"x":10,"y":30,"content":{"texts":[],"files":["#
                    + list.joined(separator: ",") + #"]}},"callbackId":"d","x":{"acc":["err"]}}"#
            )
            return try #require(await socket.message { $0["responseId"] == "d" })
        }

        /// The first dropped file.
        var file: DroppedFile? { queue.sync { shelf.items.first?.localObject as? DroppedFile } }

        func forget() { queue.sync { shelf.items = [] } }

        /// Answers the reading of a file with a stream, and waits for its first credit.
        func openStream(_ id: String = "s") async throws -> Int {
            let call = try #require(await socket.message { $0["handlerName"] == "page.readFile" })
            let callID = try #require(call["callbackId"].stringValue)
            receive(#"{"responseId":"\#(callID)","x":{"st":{"sid":"\#(id)"}}}"#)
            let more = try #require(await socket.message { $0["handlerName"] == "_wvjb.more" })
            return try #require(more["data"]["k"].integer)
        }

        func sendPart(_ number: Int, _ bytes: [UInt8], id: String = "s") {
            let text = Data(bytes).base64EncodedString()
            receive(
                #"{"handlerName":"_wvjb.next","data":{"sid":"\#(id)","n":\#(number),"v":{"$b":0}},"x":{"b":[{"k":"bytes","n":\#(bytes.count),"c":["\#(text)"]}]}}"#
            )
        }

        func sendEnd(_ count: Int, id: String = "s") {
            receive(#"{"handlerName":"_wvjb.end","data":{"sid":"\#(id)","n":\#(count)},"x":{}}"#)
        }

        var credit: Int {
            socket.messages.filter { $0["handlerName"] == "_wvjb.more" }
                .reduce(0) { $0 + ($1["data"]["k"].integer ?? 0) }
        }
        var isStopped: Bool { socket.messages.contains { $0["handlerName"] == "_wvjb.cancel" } }
    }

    private static func problem(_ reading: Task<[UInt8], any Error>) async -> String {
        do { return "read \(try await reading.value.count) bytes" } catch { return "\(error)" }
    }

    private static func read(_ file: DroppedFile) -> Task<[UInt8], any Error> {
        Task {
            var bytes: [UInt8] = []
            for try await part in file.parts { bytes += part }
            return bytes
        }
    }

    @Test("PG21 a dropped file is read in parts, of which the page sends as many as there is credit for")
    func parts() async throws {
        let page = try await FilePage()
        let reply = try await page.drop([("a.bin", 9), ("b.bin", 1)])
        #expect(reply["x"]["err"] == .undefined)
        #expect(page.queue.sync { page.shelf.events } == ["enter 2", "drop 2 at 1", "over"])
        let file = try #require(page.file)
        #expect((file.name, file.size, file.type) == ("a.bin", 9, "application/octet-stream"))
        // Nothing is read before the program reads.
        #expect(!page.socket.messages.contains { $0["handlerName"] == "page.readFile" })
        let (numbers, next) = AsyncStream.makeStream(of: Int.self)
        let reading = Task {
            var bytes: [UInt8] = []
            var turns = numbers.makeAsyncIterator()
            for try await part in file.parts {
                bytes += part
                _ = await turns.next()
            }
            return bytes
        }
        #expect(try await page.openStream() == 4)
        for number in 0..<4 { page.sendPart(number, [UInt8(number), 1]) }
        // Credit follows the reader.
        #expect(page.credit <= 5)
        for _ in 0..<5 { next.yield(0) }
        #expect(await waitUntil { page.credit > 5 })
        page.sendPart(4, [9])
        page.sendEnd(5)
        #expect(try await reading.value == [0, 1, 1, 1, 2, 1, 3, 1, 9])
    }

    @Test(
        "PG21 a file whose reader leaves is no longer sent, and one that is released is forgotten by the page"
    )
    func leaves() async throws {
        let page = try await FilePage()
        _ = try await page.drop([("a.bin", 9)])
        do {
            let file = try #require(page.file)
            let reading = Task {
                for try await part in file.parts { return part }
                return []
            }
            _ = try await page.openStream()
            page.sendPart(0, [1, 2])
            #expect(try await reading.value == [1, 2])
            #expect(await waitUntil { page.isStopped })
        }
        page.forget()
        #expect(await page.socket.message { $0["handlerName"] == "page.releaseFile" }?["data"] == 1)
    }

    @Test("PG21 a file of 4 MiB costs the memory of a few parts while it is read, and none afterwards")
    func memory() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let page = try await FilePage()
            let part = [UInt8](repeating: 7, count: 48_000)
            let count = (4 << 20) / part.count
            _ = try await page.drop([("a.bin", count * part.count)])
            let file = try #require(page.file)
            let reading = Task {
                var figures: [Int] = []
                for try await _ in file.parts { figures.append(Int(memory_figures_allocated())) }
                return figures
            }
            _ = try await page.openStream()
            for number in 0..<count {
                // As a page that always has sent as much as it may.
                _ = await waitUntil { page.credit > number }
                page.sendPart(number, part)
            }
            page.sendEnd(count)
            let figures = try await reading.value
            // The first parts pay for what is made once.
            let before = figures[8]
            let after = Int(memory_figures_allocated())
            print("PARTS \(figures.count) PEAK \((figures.max() ?? 0) - before) AFTER \(after - before)")
            exit(0)
        }
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        let match = try #require(
            output.firstMatch(of: #/PARTS (\d+) PEAK (-?\d+) AFTER (-?\d+)/#),
            "\(output)"
        )
        #expect(match.1 == "87")
        #expect(try #require(Int(match.2)) < 1 << 20, "\(output)")
        #expect(try #require(Int(match.3)) < 1 << 18, "\(output)")
    }

    @Test("PG21 more parts than the credit allows end the stream, and the reader gets the error")
    func overrun() async throws {
        let page = try await FilePage()
        _ = try await page.drop([("a.bin", 100)])
        let reading = Self.read(try #require(page.file))
        let credit = try await page.openStream()
        // A number that no credit allows, whatever the reader has taken meanwhile.
        page.sendPart(credit + 100, [1])
        #expect(
            await Self.problem(reading)
                == "the file \"a.bin\" cannot be read after 0 of 100 bytes: "
                + "The stream of \"page.readFile\" sent more than it had credit for."
        )
        #expect(await waitUntil { page.isStopped })
        #expect(page.socket.closing == nil)
    }

    @Test("PG21 a page that sends more or less than the file has ends the reading with a sentence")
    func otherSizes() async throws {
        let page = try await FilePage()
        _ = try await page.drop([("a.bin", 3)])
        let file = try #require(page.file)
        let long = Self.read(file)
        _ = try await page.openStream("s")
        page.sendPart(0, [1, 2, 3, 4])
        #expect(await Self.problem(long) == "the page sent more than the 3 bytes of the file \"a.bin\"")
        let other = try await FilePage()
        _ = try await other.drop([("b.bin", 3)])
        let short = Self.read(try #require(other.file))
        _ = try await other.openStream()
        other.sendPart(0, [1])
        other.sendEnd(1)
        #expect(await Self.problem(short) == "the file \"b.bin\" ended after 1 of 3 bytes")
    }

    @Test(
        "PG21 something else than bytes, and a file that the browser cannot read, end the reading with a sentence"
    )
    func notBytes() async throws {
        let page = try await FilePage()
        _ = try await page.drop([("a.bin", 3)])
        let reading = Self.read(try #require(page.file))
        _ = try await page.openStream()
        page.receive(#"{"handlerName":"_wvjb.next","data":{"sid":"s","n":0,"v":"abc"},"x":{}}"#)
        #expect(
            await Self.problem(reading) == "the page sent something else than bytes for the file \"a.bin\""
        )
        let other = try await FilePage()
        _ = try await other.drop([("b.bin", 3)])
        let refused = Self.read(try #require(other.file))
        _ = try await other.openStream()
        other.receive(
            #"{"handlerName":"_wvjb.end","data":{"sid":"s","n":0,"err":{"code":"handlerFailed","msg":"The browser cannot read it."}},"x":{}}"#
        )
        #expect(
            await Self.problem(refused)
                == "the file \"b.bin\" cannot be read after 0 of 3 bytes: The browser cannot read it."
        )
    }

    @Test("PG21 a connection that is lost in the middle of a file ends the reading with a sentence")
    func lost() async throws {
        let page = try await FilePage()
        _ = try await page.drop([("a.bin", 9)])
        let file = try #require(page.file)
        let (received, next) = AsyncStream.makeStream(of: Int.self)
        let reading = Task {
            var bytes: [UInt8] = []
            for try await part in file.parts {
                bytes += part
                next.yield(part.count)
            }
            return bytes
        }
        _ = try await page.openStream()
        page.sendPart(0, [1, 2])
        var parts = received.makeAsyncIterator()
        #expect(await parts.next() == 2)
        page.host.closed(page.socket, reason: "lost")
        #expect(
            await Self.problem(reading)
                == "the page with the file \"a.bin\" is gone (2 of 9 bytes were read)"
        )
        // And so does a reading that begins later.
        #expect(
            await Self.problem(Self.read(file))
                == "the page with the file \"a.bin\" is gone (0 of 9 bytes were read)"
        )
    }

    @Test(
        "PG21 a file beyond the limit is refused before a byte of it crosses, and one that is too long to load too"
    )
    func limits() async throws {
        let page = try await FilePage(limit: 100)
        let reply = try await page.drop([("a.bin", 50), ("b.bin", 101)])
        #expect(
            reply["x"]["err"]["msg"].stringValue
                == "the file \"b.bin\" has 101 bytes (limit 100); nothing was dropped"
        )
        #expect(page.file == nil)
        #expect(page.queue.sync { page.shelf.events } == [])
        let other = try await FilePage()
        _ = try await other.drop([("big.bin", 17 << 20)])
        let file = try #require(other.file)
        await #expect(
            throws: DroppedFileError(
                "the file \"big.bin\" has 17825792 bytes (limit of a file in memory: 16777216); read its parts"
            )
        ) { try await file.load() }
        let negative = try await other.drop([("x", -1)])
        #expect(negative["responseId"] == "d")
    }
}
