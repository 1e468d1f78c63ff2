package import BridgeValues

extension CSVReader {
    /// Creates a reader of an open file, from its start.
    ///
    /// - Parameters:
    ///   - file: The file; several readers may read it.
    ///   - name: The name of the file in errors.
    ///   - nameForScripts: The name of the file in errors for scripts.
    ///   - delimiter: The separator of fields.
    /// - Throws: ``StoreError`` with code `invalidRequest` for an invalid delimiter.
    package convenience init(
        _ file: RegularFile,
        name: String,
        nameForScripts: String,
        delimiter: Character = ","
    ) throws {
        var position = 0
        let separator = try Self.delimiterByte(delimiter)
        self.init(
            name: name,
            nameForScripts: nameForScripts,
            totalBytes: file.size,
            chunkBytes: 1 << 17,
            delimiter: separator
        ) { bytes in
            try WorkLimit.check()
            do throws(RegularFile.Problem) {
                let count = try file.read(into: bytes, at: position)
                position += count
                return count
            } catch {
                throw StoreError(
                    .cannotOpen,
                    "\(name) cannot be read: \(error.reason)",
                    forScripts: "\(MessageText.quoted(nameForScripts)) cannot be read: \(error.reason)"
                )
            }
        }
    }
}
