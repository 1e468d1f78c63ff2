import BridgeValues
import Foundation
import TestSupport
import Testing

@Suite("R19 limits of native work")
struct WorkLimitTests {
    private struct Over: Error, Equatable { let number: Int }

    @Test("work is under all nested limits, and under none outside")
    func nesting() throws {
        #expect(WorkLimit.current == nil)
        try WorkLimit.check()
        var isOuterOver = false
        var isInnerOver = false
        let outer: () throws -> Void = { if isOuterOver { throw Over(number: 1) } }
        let inner: () throws -> Void = { if isInnerOver { throw Over(number: 2) } }
        try WorkLimit.withLimit(outer) {
            try WorkLimit.withLimit(inner) {
                try WorkLimit.check()
                isOuterOver = true
                #expect(throws: Over(number: 1)) { try WorkLimit.check() }
                isInnerOver = true
                #expect(throws: Over(number: 2)) { try WorkLimit.check() }
            }
            isOuterOver = false
            try WorkLimit.check()
            // A turn has limits of its own.
            isOuterOver = true
            let turn = WorkLimit {}
            try withExtendedLifetime(turn) {
                try WorkLimit.replaceCurrent(by: turn) { try WorkLimit.check() }
            }
            #expect(WorkLimit.isOver)
        }
        #expect(WorkLimit.current == nil && !WorkLimit.isOver)
    }

    @Test("a limit belongs to its thread, and is removed when its body throws")
    func threads() async throws {
        let unlimited: () throws -> Void = {}
        #expect(throws: Over(number: 3)) {
            try WorkLimit.withLimit(unlimited) {
                let isDone = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    #expect(WorkLimit.current == nil)
                    isDone.signal()
                }
                isDone.wait()
                throw Over(number: 3)
            }
        }
        #expect(WorkLimit.current == nil)
    }

    @Test("a meter checks the limit once in 1,024 steps, however they are counted")
    func meter() throws {
        var asked = 0
        let count: () throws -> Void = { asked += 1 }
        try WorkLimit.withLimit(count) {
            var meter = WorkMeter()
            for _ in 0..<10_240 { try meter.step() }
            #expect(asked == 10)
            for _ in 0..<10 { try meter.step(2_000) }
            #expect(asked == 20)
        }
    }

    @Test("bytes are found, also across blocks, and in linear time if they are repetitive")
    func search() throws {
        var generator = SeededGenerator.fromEnvironment()
        func isFound(_ part: [UInt8], _ bytes: [UInt8]) throws -> Bool {
            try part.withUnsafeBytes { part in try bytes.withUnsafeBytes { try ByteSearch.find(part, in: $0) }
            }
        }
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...1, using: &generator)
            }
            let part = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                UInt8.random(in: 0...1, using: &generator)
            }
            let expected =
                part.count <= bytes.count
                && (0...bytes.count - part.count).contains { bytes[$0...].starts(with: part) }
            #expect(try isFound(part, bytes) == expected, "\(part) in \(bytes), \(generator.origin)")
        }
        // Longer than a block, with the part across the boundary of two blocks: a naive search would need 10^12
        // comparisons.
        let long = [UInt8](repeating: 1, count: (4 << 20) + 500_000)
        #expect(try !isFound([UInt8](repeating: 1, count: 300_000) + [2], long))
        #expect(try isFound([UInt8](repeating: 1, count: 300_000) + [2], long + [2]))
        let border =
            [UInt8](repeating: 0, count: (4 << 20) - 2) + [1, 2, 3, 4] + [UInt8](repeating: 0, count: 9)
        #expect(try isFound([1, 2, 3, 4], border))
    }
}
