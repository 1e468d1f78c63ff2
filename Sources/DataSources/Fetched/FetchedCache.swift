internal import Foundation
internal import Stores

/// A file beside a store that caches the order of a request.
///
/// The file has the whole order, not only the sections. A fetch with a valid file reads nothing from the store but the
/// stamp. The file is valid for one request and one content of one store, and its checksum must match.
struct FetchedCache {
    private struct Header {
        var magic = Self.magic
        var fingerprint: UInt64
        var stamp: Int64
        var checksum: UInt64
        var store: (UInt64, UInt64)

        // "JSBrOrd1", which also encodes the byte order.
        static let magic: UInt64 = 0x3164_724F_7242_534A
    }

    private let store: any Store
    private let plan: FetchPlan
    private let name: String
    private let file: URL?
    private let computedKeys: (any ComputedKeys)?

    init(
        _ name: String?,
        of store: any Store,
        _ plan: FetchPlan,
        _ computedKeys: (any ComputedKeys)? = nil
    ) {
        self.store = store
        self.plan = plan
        self.name = name ?? ""
        self.computedKeys = computedKeys
        // The file does not have the values from related rows.
        file =
            plan.related != nil
            ? nil : name.flatMap { name in store.cacheFolder.map { Self.file(name, in: $0) } }
    }

    static func file(_ name: String, in folder: URL) -> URL {
        let escaped = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return folder.appendingPathComponent("\(escaped).order", isDirectory: false)
    }

    // MARK: - Reading

    /// Reads the plan's content, from the file if it is valid, else from the store.
    ///
    /// - Returns: The content, and its stamp if the content came from the store and can be cached.
    func read() throws -> (content: FetchedContent, stamp: Int64?) {
        guard file != nil else { return (try store.read { try scan($0) }, nil) }
        if let kept = try store.read(kept) { return (kept, nil) }
        // Stamped before the rows are read: if the stamp is still the same while they are read, it is theirs.
        let stamp = try? store.stampContent()
        return try store.read { transaction in
            let content = try scan(transaction)
            return (content, try transaction.contentStamp() == stamp ? stamp : nil)
        }
    }

    private func scan(_ transaction: any ReadTransaction) throws -> FetchedContent {
        if let computedKeys { return try scan(transaction, computedKeys) }
        if let related = plan.related { return try related.scan(transaction, plan) }
        let (order, sections) = try transaction.order(of: plan.unlimitedRequest, format: plan.format)
        return FetchedContent(plan: plan, version: transaction.version, order: order, sections: sections)
    }

    private func scan(
        _ transaction: any ReadTransaction,
        _ computedKeys: any ComputedKeys
    ) throws -> FetchedContent {
        let related = try plan.related?.values(in: transaction) ?? [:]
        let (order, sections) = try computedKeys.order(of: plan, in: transaction, related: related)
        return FetchedContent(
            plan: plan,
            version: transaction.version,
            order: order,
            sections: sections,
            // Before the next change only displayed rows have a position.
            related: related.filter { computedKeys.hasKeys(of: $0.key) }
        )
    }

    private func kept(_ transaction: any ReadTransaction) throws -> FetchedContent? {
        guard let file, let data = try? Data(contentsOf: file, options: .alwaysMapped) else { return nil }
        return try data.withUnsafeBytes { bytes in
            let size = MemoryLayout<Header>.size
            guard bytes.count >= size else { return nil }
            let header = bytes.loadUnaligned(as: Header.self)
            guard header.magic == Header.magic, header.store == Self.words(of: store.identifier) else {
                return nil
            }
            guard header.fingerprint == plan.fingerprint else {
                throw StoreError(
                    .invalidRequest,
                    """
                    the cache \(MessageText.quoted(name)) was made by another request for \
                    '\(plan.request.entityName)' or another one; delete it with deleteCache(withName:of:), or use \
                    another name
                    """
                )
            }
            let body = UnsafeRawBufferPointer(rebasing: bytes[size...])
            guard try transaction.contentStamp() == header.stamp,
                OrderImage.checksum(body) == header.checksum,
                let (order, sections) = OrderImage.read(body)
            else { return nil }
            return FetchedContent(
                plan: plan,
                version: transaction.version,
                order: order,
                sections: sections
            )
        }
    }

    // MARK: - Writing

    /// Writes a content to the file under its stamp.
    func write(_ content: FetchedContent, stamp: Int64) throws {
        guard let file else { return }
        var body = Data()
        OrderImage.append(content.order, content.sections, to: &body)
        let header = Header(
            fingerprint: plan.fingerprint,
            stamp: stamp,
            checksum: body.withUnsafeBytes(OrderImage.checksum),
            store: Self.words(of: store.identifier)
        )
        var data = withUnsafeBytes(of: header) { Data($0) }
        data.append(body)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: file, options: .atomic)
    }

    /// Writes a content that results from changes, if it is still the store's; returns whether it is.
    func write(current content: FetchedContent) throws -> Bool {
        guard file != nil, let stamp = try store.stampContent() else { return false }
        let isCurrent = try store.read { transaction in
            try transaction.version == content.version && transaction.contentStamp() == stamp
        }
        if isCurrent { try write(content, stamp: stamp) }
        return isCurrent
    }

    private static func words(of identifier: UUID) -> (UInt64, UInt64) {
        withUnsafeBytes(of: identifier.uuid) {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }
}
