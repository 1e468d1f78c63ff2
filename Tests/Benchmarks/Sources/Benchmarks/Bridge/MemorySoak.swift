import BenchmarkHarness
import Foundation
import JavaScriptBridge

/// `bridge.memory`: checks whether a bridge grows over ten million round trips, both of every kind that bypasses the
/// session machine and of those that do not.
///
/// It compares the smallest resident size of the last fifth with that of the second. By then, everything that is
/// created once exists, such as compiled code. Two more fifths run before the first, because the engine lets its heaps
/// grow to their working size over some four million trips (measured, 70 to 113 MiB). Before each measurement garbage
/// is collected and the allocators release their free memory. Without that the same program was 15 % smaller in the
/// last fifth of one run, and 10 % larger in that of another.
@MainActor
enum MemorySoak {
    static let name = "bridge.memory"
    /// The allowed growth of the process, as a fraction of its size.
    private static let allowed = 0.02

    /// Runs it and returns whether the process kept its size.
    static func run(roundTrips: Int = 10_000_000) async throws -> Bool {
        let plain = try await makeAnsweringBridge(Message.self, MessageScript.requests(inFlight: 100))
        let waiting = try await makeAnsweringBridge(Message.self, MessageScript.synchronousRequests)
        let watched = try await makeAnsweringBridge(Message.self, MessageScript.requests(inFlight: 100))
        let interceptor = watched.addInterceptor(.outgoing) { call, next in try await next(call) }
        let fifth = roundTrips / 5
        var sizes: [Double] = []
        for part in -1...5 {
            var smallest = Double.infinity
            for step in 0..<(fifth / 10 / callsPerTurn) {
                // Nine of ten bypass the session machine.
                _ = try plain.sumOfTurns(4 * callsPerTurn)
                _ = try waiting.sumOfTurns(5 * callsPerTurn)
                _ = try watched.sumOfTurns(callsPerTurn)
                guard step % 20 == 0 else { continue }
                for bridge in [plain, waiting, watched] { try await bridge.runtime.collectGarbage() }
                releaseKeptPages()
                smallest = min(smallest, residentMebibytes())
            }
            guard part > 0 else { continue }
            sizes.append(smallest)
            print(name, "fifth \(part): \((smallest * 10).rounded() / 10) MiB")
        }
        interceptor.remove()
        let growth = sizes[4] / sizes[1] - 1
        print(
            name,
            "\(roundTrips) round trips, last fifth against second: \(Int(growth * 10_000)) / 10000, allowed 200"
        )
        return growth < allowed
    }

    /// Releases the free memory of the engine's allocator and of the C library, by functions that neither's module has.
    private static func releaseKeptPages() {
        if let release = dlsym(nil, "_ZN3WTF27releaseFastMallocFreeMemoryEv") {
            unsafeBitCast(release, to: (@convention(c) () -> Void).self)()
        }
        if let trim = dlsym(nil, "malloc_trim") {
            _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
        }
    }

    private static func residentMebibytes() -> Double {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return .nan }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }
}
