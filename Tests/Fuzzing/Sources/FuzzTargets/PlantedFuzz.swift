enum PlantedFuzz {
    /// Seven consecutive bytes: 72,057,594,037,927,936 inputs in a blind search, a few hundred thousand for a search
    /// that detects each correct byte.
    static func problem(_ bytes: [UInt8]) -> String? {
        let wanted = Array("bridge!".utf8)
        guard bytes.count >= wanted.count else { return nil }
        // A branch for each byte, because a loop would be one edge for the coverage, whatever its progress.
        if bytes[0] == wanted[0] {
            if bytes[1] == wanted[1] {
                if bytes[2] == wanted[2] {
                    if bytes[3] == wanted[3] {
                        if bytes[4] == wanted[4] {
                            if bytes[5] == wanted[5] {
                                if bytes[6] == wanted[6] { return "the planted bug was found" }
                            }
                        }
                    }
                }
            }
        }
        return nil
    }
}
