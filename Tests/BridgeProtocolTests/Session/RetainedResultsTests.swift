import BridgeValues
import Testing

@testable import BridgeProtocol

/// The results to which later requests refer, with names for requests and numbers for results.
@Suite("Session: retained results")
struct RetainedResultsTests {
    private let a = ByteEqualString("a")
    private let b = ByteEqualString("b")
    private var results = RetainedResults<String, Int>()

    private mutating func find(_ name: String, _ ids: ByteEqualString...)
        -> RetainedResults<String, Int>.Readiness
    {
        results.find(for: name, knownAs: .text(name), awaiting: ids)
    }

    private func code(_ readiness: RetainedResults<String, Int>.Readiness?) -> BridgeErrorCode? {
        if case .failed(let error)? = readiness { error.code } else { nil }
    }

    private func values(_ readiness: RetainedResults<String, Int>.Readiness?) -> [ByteEqualString: Int]? {
        if case .ready(let values)? = readiness { values } else { nil }
    }

    @Test("P39 requests wait for all results to which they refer, in the order of their arrival")
    mutating func order() {
        _ = [a, b].map { results.keep($0) }
        _ = (find("first", a, b), find("second", a), find("third", a))
        let ready = results.settle(a, .success(1))
        #expect(ready.map(\.0) == ["second", "third"])
        #expect(ready.allSatisfy { values($0.1) == [a: 1] })
        // A released result stays valid for what waits.
        let released = results.release(a)
        #expect(released != nil)
        let rest = results.settle(b, .success(2))
        #expect(rest.map(\.0) == ["first"])
        #expect(values(rest.first?.1) == [a: 1, b: 2])
        // The first outcome counts.
        let again = results.settle(b, .success(3))
        #expect(again.isEmpty)
        let late = find("late", b)
        #expect(values(late) == [b: 2])
    }

    @Test("R5 a request fails with the result to which it refers, once, also if others are missing")
    mutating func failure() {
        _ = [a, b].map { results.keep($0) }
        _ = find("both", a, b)
        let failed = results.settle(a, .failure(BridgeError(.handlerFailed, "no")))
        #expect(failed.map(\.0) == ["both"])
        #expect(code(failed.first?.1) == .handlerFailed)
        let others = results.settle(b, .success(2))
        #expect(others.isEmpty)
        let late = find("late", b, a)
        #expect(code(late) == .handlerFailed)
    }

    @Test("R5 a request that refers to a result that is not retained, or to its own, fails immediately")
    mutating func unknown() {
        let early = find("x", a)
        #expect(code(early) == .invalidArgument)
        _ = [a, b].map { results.keep($0) }
        let own = find("a", a)
        #expect(code(own) == .invalidArgument)
        _ = results.settle(b, .success(2))
        _ = results.release(b)
        let late = find("x", b)
        #expect(code(late) == .invalidArgument)
        // A result that is released before it arrives still reaches what waits, and is forgotten then.
        _ = find("x", a)
        let released = results.release(a)
        #expect(released == nil)
        let ready = results.settle(a, .success(1))
        #expect(ready.map(\.0) == ["x"])
        #expect(results.isEmpty)
    }

    @Test("R22 results, waiting requests and the results of one request have limits")
    mutating func limits() {
        let limits = results.limits
        let ids = (0..<limits.results).map { ByteEqualString("\($0)") }
        let kept = ids.filter { results.keep($0) }
        #expect(kept == ids)
        // A retained result is retained once.
        let (again, oneMore) = (results.keep(ids[0]), results.keep(a))
        #expect(again && !oneMore)
        let wide = results.find(for: "wide", knownAs: nil, awaiting: Array(ids.prefix(limits.fanOut + 1)))
        #expect(code(wide) == .limitExceeded)
        for number in 0..<limits.waiting { _ = find("r\(number)", ids[0]) }
        let overloaded = find("one more", ids[0])
        #expect(code(overloaded) == .overloaded)
        let ready = results.settle(ids[0], .success(0))
        #expect(ready.count == limits.waiting)
    }
}
