import Foundation
import Testing

@testable import JavaScriptEngine

/// A codec whose author has not overridden a method: it traps instead of returning uninitialized memory.
@Suite("codecs without an implementation") struct AbstractCodecTests {
    private static let mistakes: [@Sendable (JSContext, UnsafeMutableRawPointer) throws -> Void] = [
        { try Codec(in: $0).decode(.undefined, into: $1) },
        { try Codec(in: $0).encode($1, into: $0.slab.writer) },
        { _ = try Codec(in: $0).encodeScalar($1) },
        { Codec(in: $0).deinitialize($1) },
        { try ObjectCodec(in: $0).decodeMembers(arguments(in: $0, $1), into: $1) },
        { try ObjectCodec(in: $0).decodeOther(.undefined, into: $1) },
        { list(in: $0).move($1, count: 1, to: $1) },
        { list(in: $0).drop($1, count: 1) },
        { list(in: $0).finish($1, count: 1, in: $1) },
        { try list(in: $0).decodeInSteps(.undefined, into: $1) },
        { try list(in: $0).withElements(of: $1) { _, _ in } },
        { try DecodingOperation().decode(MemberDecoder(ObjectMembers(LearnedMembers(), in: $0)), $1) },
        { context, memory in _ = Codec(in: context).decodeBlock(cells(memory), count: 1, into: memory) },
        { try Codec(in: $0).decodeCell(0, into: $1) },
        { context, memory in _ = Codec(in: context).encodeBlock(memory, count: 1, into: doubles(memory)) },
        { context, _ in _ = ObjectCodec(in: context).readerSource },
        { dictionary(in: $0).finish([], $1, in: $1) },
        { try dictionary(in: $0).decodeInSteps(.undefined, into: $1) },
        { _ = dictionary(in: $0).count(of: $1) },
        { try dictionary(in: $0).forEach(of: $1) { _, _ in } },
        { try EncodingOperation().encode($1, ShapeEncoder(ShapeInProgress(ShapeNode(), in: $0))) },
    ]

    private static func list(in context: JSContext) -> AnyArrayCodec {
        AnyArrayCodec(Codec(in: context), stride: 8)
    }

    private static func dictionary(in context: JSContext) -> AnyDictionaryCodec {
        AnyDictionaryCodec(list(in: context), hasNumbers: false)
    }

    private static func cells(_ memory: UnsafeMutableRawPointer) -> UnsafePointer<Double> {
        UnsafePointer(doubles(memory))
    }

    private static func doubles(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Double> {
        memory.assumingMemoryBound(to: Double.self)
    }

    private static func arguments(in context: JSContext, _ memory: UnsafeMutableRawPointer) -> CallArguments {
        CallArguments(
            slots: UnsafePointer(memory.assumingMemoryBound(to: UInt64.self)),
            count: 1,
            scalars: context.scalars,
            context: .passUnretained(context)
        )
    }

    @Test("a codec without an implementation of a method traps when it is called", arguments: 0..<21)
    func traps(number: Int) async {
        await #expect(processExitsWith: .failure) { [number] in
            // No other failure may look like a trap.
            defer { _exit(0) }
            let context = try JSContext()
            try withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { memory in
                memory.initializeMemory(as: UInt64.self, repeating: 0)
                guard let start = memory.baseAddress else { return }
                try context.withTurn { try Self.mistakes[number](context, start) }
            }
        }
    }
}
