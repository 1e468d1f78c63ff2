/// A renderer without a screen that records the frames of a collection view, for tests.
///
/// It draws each frame by the difference from the one before, as other renderers do, and checks that it then shows the
/// frame.
public final class RecordingRenderer {
    /// An error for a difference that does not lead from one frame to the next.
    public struct Mismatch: Error, Sendable, Hashable, CustomStringConvertible {
        /// A sentence that says what differs.
        public let description: String
    }

    /// The frames, in the order in which they were drawn.
    public private(set) var frames: [ViewFrame] = []
    /// The differences between the frames; the first one inserts everything.
    public private(set) var differences: [ViewFrame.Difference] = []
    /// The elements on screen, by the number of their view.
    public private(set) var shown: [Int: ViewFrame.Element] = [:]

    /// Creates a renderer that shows nothing.
    public init() {}

    /// Draws a frame.
    ///
    /// - Returns: The difference from the frame before.
    /// - Throws: ``Mismatch`` if the difference does not lead to the frame.
    @discardableResult
    public func draw(_ frame: ViewFrame) throws -> ViewFrame.Difference {
        let difference = frame.difference(from: frames.last)
        frames.append(frame)
        differences.append(difference)
        for number in difference.removed {
            guard shown.removeValue(forKey: number) != nil else {
                throw Mismatch(description: "view \(number) was removed, which was not on screen")
            }
        }
        for element in difference.inserted {
            guard shown.updateValue(element, forKey: element.viewNumber) == nil else {
                throw Mismatch(description: "view \(element.viewNumber) was inserted, which was on screen")
            }
        }
        for element in difference.changed {
            guard shown.updateValue(element, forKey: element.viewNumber) != nil else {
                throw Mismatch(description: "view \(element.viewNumber) was changed, which was not on screen")
            }
        }
        guard shown.count == frame.elements.count,
            frame.elements.allSatisfy({ shown[$0.viewNumber] == $0 })
        else {
            throw Mismatch(description: "the difference leads to other elements than those of the frame")
        }
        return difference
    }

    /// The lines of the last frame: ``CollectionViews/ViewFrame/lines``.
    public var lines: [String] { frames.last?.lines ?? [] }
}

extension ViewFrame {
    /// The strings of the cells and supplementary views with their distance from the start of the viewport, such as
    /// "tea at 2.0", from back to front.
    ///
    /// The distance is along the direction in which the view scrolls.
    public var lines: [String] {
        elements.filter { $0.attributes.element.category != .decorationView }.map { element in
            let frame = element.attributes.frame
            let distance =
                scrollDirection == .vertical ? frame.minY - bounds.minY : frame.minX - bounds.minX
            return "\(element.content.text.string) at \(distance)"
        }
    }
}
