internal import CollectionViews

/// The elements of a view as they were drawn into cells last.
///
/// A row whose content and look have not changed is not drawn again. Its content is compared by the number of its view
/// and the version of the content, so that nothing is compared character by character.
struct DrawnElements {
    /// The data on which the cells of an element depend, beside the texts.
    struct Look: Hashable {
        let contentVersion: Int
        let category: ElementCategory
        let decoration: TerminalRenderer.Decoration
        let isSelected: Bool
        let isFocused: Bool
        let width: Int
        let height: Int

        // A function, because an initializer would copy the element with all of its texts.
        static func of(
            _ element: ViewFrame.Element,
            _ decoration: TerminalRenderer.Decoration,
            width: Int,
            height: Int
        ) -> Look {
            Look(
                contentVersion: element.contentVersion,
                category: element.attributes.element.category,
                decoration: decoration,
                isSelected: element.isSelected,
                isFocused: element.isFocused || decoration.isFocused,
                width: width,
                height: height
            )
        }
    }

    private struct Element {
        var look: Look
        var frame: Int
        var lines: [Int: ScreenRow]
        // The first line, which is most often the only one.
        var first: ScreenRow?
    }

    private var elements: [Int: Element] = [:]
    private var generation = 0
    private var frame = 0
    private var count = 0
    /// The number of rows that were drawn and not found.
    private(set) var drawnRows = 0

    /// Begins a frame.
    mutating func begin(_ text: TerminalText) {
        // Glyphs of clusters have other numbers, or strings other widths.
        if generation != text.generation { elements = [:] }
        generation = text.generation
        frame += 1
        count = 0
    }

    /// Returns the cells of a line of an element, which a closure draws if they are not known.
    mutating func row(
        of viewNumber: Int,
        _ look: Look,
        line: Int,
        draw: () -> ScreenRow
    ) -> ScreenRow {
        let index = elements.index(forKey: viewNumber)
        if let index, elements.values[index].look == look {
            if elements.values[index].frame != frame {
                elements.values[index].frame = frame
                count += 1
            }
            if line == 0, let first = elements.values[index].first { return first }
            if line > 0, let row = elements.values[index].lines[line] { return row }
        }
        drawnRows += 1
        var row = draw()
        row.rememberDigest()
        if index.map({ elements.values[$0].look == look }) != true {
            elements[viewNumber] = Element(look: look, frame: frame, lines: [:])
            count += 1
        }
        if line == 0 { elements[viewNumber]?.first = row } else { elements[viewNumber]?.lines[line] = row }
        return row
    }

    /// Ends a frame: if most elements are not visible any more, they are forgotten.
    mutating func end() {
        guard elements.count > 2 * count + 16 else { return }
        elements = elements.filter { $0.value.frame == frame }
    }
}
