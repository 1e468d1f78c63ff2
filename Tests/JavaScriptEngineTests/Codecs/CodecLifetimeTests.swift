import Testing

@testable import JavaScriptEngine

/// The lifetime of a context's codecs.
@Suite struct CodecLifetimeTests {
    private struct Tree: JSShaped {
        var children: [Tree]
        var first: Branch?
    }

    private struct Branch: JSShaped {
        var trees: [Tree]
    }

    private struct Learned: Codable {
        var children: [Learned]
    }

    @Test("R30 the codecs of recursive types are released with their context")
    func recursive() throws {
        for type in [Tree.self, Branch.self, Learned.self] as [any Codable.Type] {
            weak var codec: Codec?
            try {
                let context = try JSContext()
                codec = context.codecs.codec(for: type)
                #expect(codec != nil)
                let tree = Tree(children: [Tree(children: [])], first: Branch(trees: []))
                #expect(try JSValue(encoding: tree, in: context).decode(Tree.self).children.count == 1)
            }()
            #expect(codec == nil, "\(type)")
        }
    }
}
