extension Coverage {
    /// The coverage in the format of LCOV, as editors, `genhtml` and services read it.
    public var lcov: String {
        var text = ""
        for file in files {
            text += "TN:\nSF:\(Self.line(file.path))\n"
            for (function, name) in zip(file.functions, Self.uniqueNames(file.functions)) {
                text += "FN:\(function.line),\(name)\n"
            }
            for (function, name) in zip(file.functions, Self.uniqueNames(file.functions)) {
                text += "FNDA:\(function.count),\(name)\n"
            }
            text += "FNF:\(file.functions.count)\nFNH:\(file.calledFunctionCount)\n"
            for (line, count) in file.lines.sorted(by: { $0.key < $1.key }) {
                text += "DA:\(line),\(count)\n"
            }
            text += "LF:\(file.lines.count)\nLH:\(file.coveredLineCount)\nend_of_record\n"
        }
        return text
    }

    // Readers take functions of a file with the same name for one.
    private static func uniqueNames(_ functions: [Function]) -> [String] {
        var counts: [String: Int] = [:]
        for function in functions { counts[function.name, default: 0] += 1 }
        var used: Set<String> = []
        return functions.map { function in
            // A number and a comma at the beginning would be the last line of the function.
            let plain = line(function.name).replacing(",", with: ";")
            var name = counts[function.name] == 1 ? plain : "\(plain):\(function.line)"
            var number = 2
            while !used.insert(name).inserted {
                name = "\(plain):\(function.line):\(number)"
                number += 1
            }
            return name
        }
    }

    /// Returns a text that is one line.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isLineSafe($0) ? $0 : "\u{FFFD}" }))
    }

    private static func isLineSafe(_ scalar: Unicode.Scalar) -> Bool {
        !(scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x2029 ~= scalar.value)
    }
}
