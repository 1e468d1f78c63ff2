import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// Types that keep their decoders, encoders and containers, and use them when and where they must not.
@Suite("decoders, encoders and containers that a type keeps")
struct RetainedCoderTests {
    private enum Key: String, CodingKey { case a, b, inner }
    private enum OtherKey: String, CodingKey { case a }

    /// The coders that one of the types below has kept, and the values that it reads with them: `nil` for an error.
    private final class Shelf {
        // nonisolated(unsafe) because each test fills its own and reads it from one thread at a time.
        nonisolated(unsafe) var containers: [KeyedDecodingContainer<Key>] = []
        nonisolated(unsafe) var decoders: [any Decoder] = []
        nonisolated(unsafe) var encoders: [KeyedEncodingContainer<Key>] = []

        func reads() -> [Int?] {
            containers.map { try? $0.decode(Int.self, forKey: .a) }
                + decoders.map { try? $0.container(keyedBy: Key.self).decode(Int.self, forKey: .a) }
        }
    }

    // nonisolated(unsafe) because only the suite's tests touch it, one after another within each.
    @TaskLocal private static var shelf: ShelfBox?

    private struct ShelfBox: @unchecked Sendable {
        // @unchecked Sendable because a shelf belongs to one test.
        let shelf = Shelf()
    }

    /// A value that keeps the container and the decoder of some objects, and reads with those that were kept before.
    private struct Keeper: Decodable {
        let a: Int
        let earlier: [Int?]

        init(from decoder: any Decoder) throws {
            earlier = RetainedCoderTests.shelf?.shelf.reads() ?? []
            let container = try decoder.container(keyedBy: Key.self)
            a = try container.decode(Int.self, forKey: .a)
            guard a.isMultiple(of: 2), let shelf = RetainedCoderTests.shelf?.shelf else { return }
            shelf.containers.append(container)
            shelf.decoders.append(decoder)
        }
    }

    @Test("coders kept from some values read nothing of later values, which are read as usual")
    func later() throws {
        try Self.$shelf.withValue(ShelfBox()) {
            let context = try JSContext()
            let objects = try context.evaluate("Array.from({length: 50}, (_, index) => ({a: index}))")
            for _ in 0..<3 {
                let keepers = try objects.decode([Keeper].self)
                #expect(keepers.map(\.a) == Array(0..<50))
                #expect(keepers.flatMap(\.earlier).allSatisfy { $0 == nil })
            }
            #expect(Self.shelf?.shelf.reads().count == 150)
            #expect(Self.shelf?.shelf.reads().allSatisfy { $0 == nil } == true)
        }
    }

    /// A tree whose nodes continue to read with their own container after their children were read with others.
    private struct Tree: Codable, Equatable {
        var a: Int
        var inner: [Tree]
        var b: Int

        init(depth: Int) {
            a = depth
            inner = depth == 0 ? [] : [Tree(depth: depth - 1), Tree(depth: depth - 1)]
            b = -depth
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            a = try container.decode(Int.self, forKey: .a)
            // Kept during the call only: a second one, and one by other keys.
            let again = try decoder.container(keyedBy: Key.self)
            let other = try decoder.container(keyedBy: OtherKey.self)
            inner = try container.decode([Tree].self, forKey: .inner)
            b = try again.decode(Int.self, forKey: .b)
            let same = try other.decode(Int.self, forKey: .a)
            guard same == a else { throw BridgeError(.internal, "a container of another object") }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(a, forKey: .a)
            var again = encoder.container(keyedBy: Key.self)
            try container.encode(inner, forKey: .inner)
            try again.encode(b, forKey: .b)
        }

        private enum Key: String, CodingKey { case a, inner, b }
    }

    @Test("nested values of the same type have containers of their own")
    func recursion() throws {
        let context = try JSContext()
        let tree = Tree(depth: 6)
        for _ in 0..<3 {
            let value = try JSValue(encoding: tree, in: context)
            #expect(try value.decode(Tree.self) == tree)
        }
    }

    /// A value that reads from its outer value's container while it is decoded itself.
    private struct Nested: Decodable {
        let a: Int
        let inner: Box?
        let outside: Int?

        final class Box: Decodable {
            let nested: Nested
            init(from decoder: any Decoder) throws { nested = try Nested(from: decoder) }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            a = try container.decode(Int.self, forKey: .a)
            outside = try RetainedCoderTests.shelf?.shelf.containers.last?.decode(Int.self, forKey: .a)
            RetainedCoderTests.shelf?.shelf.containers.append(container)
            inner = try container.decodeIfPresent(Box.self, forKey: .inner)
            _ = RetainedCoderTests.shelf?.shelf.containers.popLast()
        }
    }

    @Test("an outer value's container reads the outer value while an inner one is decoded")
    func outer() throws {
        try Self.$shelf.withValue(ShelfBox()) {
            let context = try JSContext()
            let value = try context.evaluate("({a: 1, inner: {a: 2, inner: {a: 3}}})")
            for _ in 0..<3 {
                let nested = try value.decode(Nested.self)
                #expect(nested.outside == nil)
                #expect(nested.inner?.nested.outside == 1)
                #expect(nested.inner?.nested.inner?.nested.outside == 2)
            }
        }
    }

    /// A value that requests every kind of container, and keeps all of them.
    private struct Hoarder: Decodable {
        let decoder: any Decoder
        let keyed: KeyedDecodingContainer<Key>
        let parent: any Decoder
        let list: any UnkeyedDecodingContainer

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            keyed = try decoder.container(keyedBy: Key.self)
            parent = try keyed.superDecoder(forKey: .a)
            list = try keyed.nestedUnkeyedContainer(forKey: .b)
        }
    }

    @Test("coders kept from a value that was read as a whole throw or read a copy of that value")
    func copies() throws {
        let hoarders: [Hoarder]
        do {
            let context = try JSContext()
            let value = try context.evaluate("[1, 2, 3].map((index) => ({a: index, b: [10 * index]}))")
            hoarders = try value.decode([Hoarder].self)
        }
        for (index, hoarder) in hoarders.enumerated() {
            let container = try? hoarder.decoder.container(keyedBy: Key.self)
            let direct = try? container?.decode(Int.self, forKey: .a)
            #expect(direct == nil || direct == index + 1)
            let keyed = try? hoarder.keyed.decode(Int.self, forKey: .a)
            #expect(keyed == nil || keyed == index + 1)
            #expect(try hoarder.parent.singleValueContainer().decode(Int.self) == index + 1)
            var list = hoarder.list
            #expect(try list.decode(Int.self) == 10 * (index + 1))
        }
    }

    /// A value that passes its container and decoder to another thread and waits for the values that the thread reads.
    private struct Stranger: Decodable {
        let a: Int
        let read: [Int?]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let shelf = ShelfBox()
            shelf.shelf.containers = [container]
            shelf.shelf.decoders = [decoder]
            read = RetainedCoderTests.onAnotherThread { shelf.shelf.reads() }
            a = try container.decode(Int.self, forKey: .a)
        }
    }

    private static func onAnotherThread(_ body: @escaping @Sendable () -> [Int?]) -> [Int?] {
        final class Result: @unchecked Sendable {
            // @unchecked Sendable because the semaphore orders writing before reading.
            var reads: [Int?] = []
        }
        let result = Result()
        let isDone = DispatchSemaphore(value: 0)
        Thread {
            result.reads = body()
            isDone.signal()
        }.start()
        isDone.wait()
        return result.reads
    }

    @Test("another thread reads nothing, neither while the value is decoded nor while the next one is")
    func threads() throws {
        let context = try JSContext()
        let objects = try context.evaluate("Array.from({length: 20}, (_, index) => ({a: index}))")
        for _ in 0..<2 {
            let strangers = try objects.decode([Stranger].self)
            #expect(strangers.map(\.a) == Array(0..<20))
            #expect(strangers.allSatisfy { $0.read == [nil, nil] })
        }
    }

    /// A value that keeps its container for a thread that uses it repeatedly while others are decoded.
    private struct Haunted: Decodable {
        let a: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            a = try container.decode(Int.self, forKey: .a)
            if a == 0, let shelf = RetainedCoderTests.shelf?.shelf {
                shelf.containers = [container]
                shelf.decoders = [decoder]
            }
        }
    }

    @Test("a thread that continues to use a kept container reads nothing of later values")
    func haunting() throws {
        try Self.$shelf.withValue(ShelfBox()) {
            let context = try JSContext()
            let objects = try context.evaluate("Array.from({length: 2000}, (_, index) => ({a: index}))")
            _ = try context.evaluate("[{a: 0}]").decode([Haunted].self)
            let box = try #require(Self.shelf)
            let kept = ShelfBox()
            kept.shelf.containers = box.shelf.containers
            kept.shelf.decoders = box.shelf.decoders
            box.shelf.containers = []
            box.shelf.decoders = []
            final class Found: @unchecked Sendable {
                // @unchecked Sendable because the semaphore orders writing before reading.
                var count = 0
            }
            let found = Found()
            let isDone = DispatchSemaphore(value: 0)
            Thread {
                for _ in 0..<2000 { found.count += kept.shelf.reads().count { $0 != nil } }
                isDone.signal()
            }.start()
            for _ in 0..<3 {
                let values = try objects.decode([Haunted].self)
                #expect(values.map(\.a) == Array(0..<2000))
            }
            isDone.wait()
            #expect(found.count == 0)
        }
    }

    /// A value that keeps the containers of some values, and writes to those that were kept before.
    private struct Writer: Encodable {
        let a: Int

        func encode(to encoder: any Encoder) throws {
            guard let shelf = RetainedCoderTests.shelf?.shelf else { return }
            var container = encoder.container(keyedBy: Key.self)
            for index in shelf.encoders.indices {
                #expect(throws: BridgeError.self) { try shelf.encoders[index].encode(666, forKey: .b) }
                _ = shelf.encoders[index].superEncoder()
            }
            try container.encode(a, forKey: .a)
            if a.isMultiple(of: 3) { shelf.encoders.append(container) }
        }
    }

    @Test("kept encoders write nothing into later values")
    func writing() throws {
        try Self.$shelf.withValue(ShelfBox()) {
            let context = try JSContext()
            for _ in 0..<3 {
                let value = try JSValue(encoding: (0..<20).map(Writer.init(a:)), in: context).toValue()
                #expect(value == .array((0..<20).map { ["a": .integer(Int64($0))] }))
            }
        }
    }

    /// A value that writes into its owner's container while it is encoded itself.
    private struct Intruder: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(7, forKey: .a)
            if var outer = RetainedCoderTests.shelf?.shelf.encoders.last {
                try? outer.encode("x", forKey: .b)
            }
            try container.encode(8, forKey: .b)
        }
    }

    private struct Owner: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            RetainedCoderTests.shelf?.shelf.encoders = [container]
            try container.encode(1, forKey: .a)
            try container.encode(Intruder(), forKey: .inner)
            RetainedCoderTests.shelf?.shelf.encoders = []
        }
    }

    @Test("nothing is written into the middle of a member that is being encoded")
    func intrusion() throws {
        try Self.$shelf.withValue(ShelfBox()) {
            let context = try JSContext()
            for _ in 0..<3 {
                let value = try JSValue(encoding: Owner(), in: context).toValue()
                #expect(value["a"] == 1)
                #expect(value["inner"] == ["a": 7, "b": 8])
            }
        }
    }

    private class Base: Codable {
        var a: Int
        init(a: Int) { self.a = a }
    }

    private final class Derived: Base {
        var b: Int

        init(a: Int, b: Int) {
            self.b = b
            super.init(a: a)
        }

        required init(from decoder: any Decoder) throws {
            b = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .b)
            try super.init(from: decoder)
        }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(b, forKey: .b)
        }
    }

    @Test("a type that requests containers by several kinds of keys is read and written by all of them")
    func several() throws {
        let context = try JSContext()
        for index in 0..<20 {
            let value = try JSValue(encoding: Derived(a: index, b: 2 * index), in: context)
            let derived = try value.decode(Derived.self)
            #expect(derived.a == index && derived.b == 2 * index)
        }
    }
}
