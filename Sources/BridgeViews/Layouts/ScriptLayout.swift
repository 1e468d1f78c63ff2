internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import JavaScriptBridge

/// A layout that a script implements, by the names of `CollectionLayout`.
///
/// The script is asked for the elements of a rectangle twice the size of the viewport at a time, so that most frames need
/// no call. If it fails, the layout pass throws its error, and the renderer keeps its frame.
final class ScriptLayout: CollectionLayout {
    private let script: ScriptFunctions
    private var size = Size.zero
    /// The elements of the rectangle that was asked for last.
    private var window: (rect: Rect, elements: [LayoutAttributes], places: [ElementIdentifier: Int])?
    /// The error of a call that could not throw, which the next preparation throws.
    private var failure: (any Error)?
    /// A closure that is called with an error of the script that no pass throws.
    var failed: (any Error) -> Void = { _ in }
    private let direction: ScrollDirection
    /// The functions without a default that the layout has.
    private let functions: Set<String>

    init(_ script: ScriptFunctions) throws {
        self.script = script
        direction = try script.value.forProperty("isHorizontal").toBool() ? .horizontal : .vertical
        functions = Set(try script.ask("functions").arrayValue?.compactMap(\.stringValue) ?? [])
    }

    override var scrollDirection: ScrollDirection { direction }

    override func prepare() throws {
        window = nil
        if let failure {
            self.failure = nil
            throw failure
        }
        let bounds = host?.bounds ?? .zero
        let sections = host?.numberOfSections ?? 0
        let answer = try script.askForFrame(
            "prepare",
            [
                "bounds": bounds.value, "numberOfSections": .index(sections),
                "numberOfItems": .array(
                    (0..<sections).map { .index(host?.numberOfItems(inSection: $0) ?? 0) }
                ),
            ]
        )
        size = Size(width: answer[0].doubleValue ?? 0, height: answer[1].doubleValue ?? 0)
        // The elements that the pass will ask for, so that their error is the error of the pass.
        try readElements(in: bounds)
    }

    override var collectionViewContentSize: Size { size }

    override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        if let window, window.rect.minX <= rect.minX, window.rect.maxX >= rect.maxX,
            window.rect.minY <= rect.minY, window.rect.maxY >= rect.maxY
        {
            return window.elements.filter { $0.frame.intersects(rect) }
        }
        do {
            try readElements(in: rect)
        } catch {
            fail(error)
        }
        return window?.elements.filter { $0.frame.intersects(rect) } ?? []
    }

    private func readElements(in rect: Rect) throws {
        let around = Rect(
            x: rect.minX - rect.size.width / 2,
            y: rect.minY - rect.size.height / 2,
            width: rect.size.width * 2,
            height: rect.size.height * 2
        )
        let answer = try script.askForFrame(
            "elements",
            .number(around.minX),
            .number(around.minY),
            .number(around.size.width),
            .number(around.size.height)
        )
        let elements = try (answer.arrayValue ?? []).compactMap { try Self.attributes($0) }
        let places = Dictionary(elements.indices.map { (elements[$0].element, $0) }) { first, _ in first }
        window = (around, elements, places)
    }

    override func layoutAttributesForItem(at indexPath: IndexPath) -> LayoutAttributes? {
        guard let path = ItemPath(indexPath) else { return nil }
        if let window, let place = window.places[.cell(path)] { return window.elements[place] }
        return ask { try script.askForFrame("item", .index(indexPath.section), .index(indexPath.item)) }
    }

    override func layoutAttributesForSupplementaryView(ofKind kind: String, at indexPath: IndexPath)
        -> LayoutAttributes?
    { ask { try attributes("layoutAttributesForSupplementaryView", indexPath, kind: kind) } }

    override func layoutAttributesForDecorationView(ofKind kind: String, at indexPath: IndexPath)
        -> LayoutAttributes?
    { ask { try attributes("layoutAttributesForDecorationView", indexPath, kind: kind) } }

    /// Returns the answer of a function about one element; `nil` without the function.
    private func attributes(
        _ function: String,
        _ path: IndexPath,
        kind: String? = nil,
        position: Point? = nil
    )
        throws -> Value
    {
        guard functions.contains(function) else { return .undefined }
        var options: ValueObject = ["at": path.value]
        if let kind { options["ofKind"] = .string(ScriptElementKind.name(of: kind)) }
        if let position { options["withTargetPosition"] = position.value }
        return try script.askForFrame("attributes", .string(function), .object(options))
    }

    // MARK: - Batches and movements

    override func initialLayoutAttributesForAppearingItem(at indexPath: IndexPath) -> LayoutAttributes? {
        optional("initialLayoutAttributesForAppearingItem", indexPath)
    }

    override func finalLayoutAttributesForDisappearingItem(at indexPath: IndexPath) -> LayoutAttributes? {
        optional("finalLayoutAttributesForDisappearingItem", indexPath)
    }

    override func initialLayoutAttributesForAppearingSupplementaryElement(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? {
        optional("initialLayoutAttributesForAppearingSupplementaryElement", indexPath, kind: kind)
    }

    override func finalLayoutAttributesForDisappearingSupplementaryElement(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? {
        optional("finalLayoutAttributesForDisappearingSupplementaryElement", indexPath, kind: kind)
    }

    override func initialLayoutAttributesForAppearingDecorationElement(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? {
        optional("initialLayoutAttributesForAppearingDecorationElement", indexPath, kind: kind)
    }

    override func finalLayoutAttributesForDisappearingDecorationElement(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? {
        optional("finalLayoutAttributesForDisappearingDecorationElement", indexPath, kind: kind)
    }

    override func layoutAttributesForInteractivelyMovingItem(
        at indexPath: IndexPath,
        withTargetPosition position: Point
    ) -> LayoutAttributes? {
        optional("layoutAttributesForInteractivelyMovingItem", indexPath, position: position)
            ?? layoutAttributesForItem(at: indexPath)
    }

    override func targetIndexPath(
        forInteractivelyMovingItem previousIndexPath: IndexPath,
        withPosition position: Point
    ) -> IndexPath {
        let proposed = super.targetIndexPath(
            forInteractivelyMovingItem: previousIndexPath,
            withPosition: position
        )
        guard functions.contains("targetIndexPath") else { return proposed }
        do {
            let options: Value = [
                "forInteractivelyMovingItem": previousIndexPath.value, "withPosition": position.value,
            ]
            return IndexPath(script: try script.askForFrame("path", options)) ?? proposed
        } catch {
            failed(error)
            return proposed
        }
    }

    /// Returns the attributes that a function gives to an element; `nil` for none, or if it failed, which is reported.
    private func optional(
        _ function: String,
        _ path: IndexPath,
        kind: String? = nil,
        position: Point? = nil
    ) -> LayoutAttributes? {
        do {
            return try Self.attributes(try attributes(function, path, kind: kind, position: position))
        } catch {
            failed(error)
            return nil
        }
    }

    // MARK: - Scrolling

    override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        guard functions.contains("shouldInvalidateLayout") else {
            return super.shouldInvalidateLayout(forBoundsChange: newBounds)
        }
        do {
            return try script.askForFrame(
                "invalidates",
                .number(newBounds.minX),
                .number(newBounds.minY),
                .number(newBounds.size.width),
                .number(newBounds.size.height)
            ).boolValue ?? super.shouldInvalidateLayout(forBoundsChange: newBounds)
        } catch {
            failed(error)
            return super.shouldInvalidateLayout(forBoundsChange: newBounds)
        }
    }

    override func targetContentOffset(
        forProposedContentOffset proposedContentOffset: Double,
        withScrollingVelocity velocity: Double
    ) -> Double {
        guard functions.contains("targetContentOffset") else { return proposedContentOffset }
        do {
            let answer = try script.askForFrame("target", .number(proposedContentOffset), .number(velocity))
                .doubleValue
            return answer.flatMap { $0.isFinite ? $0 : nil } ?? proposedContentOffset
        } catch {
            failed(error)
            return proposedContentOffset
        }
    }

    private func ask(_ body: () throws -> Value) -> LayoutAttributes? {
        do {
            return try Self.attributes(try body())
        } catch {
            fail(error)
            return nil
        }
    }

    /// Leaves an error to the next pass, which prepares the layout again.
    private func fail(_ error: any Error) {
        guard failure == nil else { return }
        failure = error
        invalidateLayout()
    }

    /// Returns the attributes of a record of the script's side; `nil` for none.
    ///
    /// - Throws: ``BridgeError`` if the record has no path that can exist.
    private static func attributes(_ record: Value) throws -> LayoutAttributes? {
        if record.isNil { return nil }
        guard let section = record[2].index, let item = record[3].index,
            ItemPath(IndexPath(item: item, section: section)) != nil
        else { throw BridgeError(.invalidArgument, "the script's layout returned attributes without a path") }
        let path = IndexPath(item: item, section: section)
        let kind = ScriptElementKind.kind(named: record[1].stringValue ?? "")
        let frame = Rect(
            x: record[4].doubleValue ?? .nan,
            y: record[5].doubleValue ?? .nan,
            width: record[6].doubleValue ?? .nan,
            height: record[7].doubleValue ?? .nan
        )
        var result =
            switch record[0].stringValue {
            case "supplementary": LayoutAttributes(forSupplementaryViewOfKind: kind, with: path, frame: frame)
            case "decoration": LayoutAttributes(forDecorationViewOfKind: kind, with: path, frame: frame)
            default: LayoutAttributes(forCellWith: path, frame: frame)
            }
        guard frame.isValid else {
            throw BridgeError(
                .invalidArgument,
                "the script's layout gave \(result.element) the frame \(frame), which has NaN or a negative size"
            )
        }
        result.zIndex = record[8].index ?? 0
        if let alpha = record[9].doubleValue, alpha.isFinite { result.alpha = alpha }
        result.isHidden = record[10].boolValue ?? false
        let matrix = (record[11].arrayValue ?? []).compactMap(\.doubleValue)
        if matrix.count == 6, matrix.allSatisfy(\.isFinite) { result.transform.matrix = matrix }
        return result
    }
}
