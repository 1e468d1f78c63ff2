private import Foundation

extension CaseMeasurement {
    /// The case as one line for a terminal: name, number, both times, rounds.
    public var line: String {
        var parts = [name.padded(to: 30)]
        switch figure {
        case .ratio: parts.append(String(format: "%8.2f x ", value))
        case .microseconds: parts.append(String(format: "%8.2f us", value))
        case .amount(let unit): parts.append(String(format: "%8.2f ", value) + unit)
        }
        if figure.isTime {
            parts.append((plain.map { "plain \(Self.text($0))" } ?? "").padded(to: 17))
            parts.append("ours \(Self.text(ours))")
            let less = plainRounds == rounds || plain == nil ? "" : " (plain \(plainRounds))"
            parts.append("\(rounds) rounds\(less)")
        }
        if let percentile99 { parts.append("p99 \(Self.text(percentile99))") }
        if let wanted {
            parts.append("wanted \(figure == .ratio ? ">=" : "<=") \(String(format: "%g", wanted))")
        }
        return parts.joined(separator: "  ")
    }

    /// Formats a time in a suitable unit, always 11 columns wide.
    static func text(_ seconds: Double) -> String {
        switch seconds {
        case ..<1e-6: String(format: "%8.1f ns", seconds * 1e9)
        case ..<1e-3: String(format: "%8.2f us", seconds * 1e6)
        case ..<1: String(format: "%8.2f ms", seconds * 1e3)
        default: String(format: "%8.2f s ", seconds)
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        padding(toLength: max(width, count), withPad: " ", startingAt: 0)
    }
}
