// Six subjects, each with the names of the library from which a reader may come.
//
//     swift run GalleryExample [list | table | restoration | flow | reorder | page]

let subjects: [(name: String, show: @MainActor () async throws -> Void)] = [
    ("list", showLists),
    ("table", showTable),
    ("restoration", showRestoration),
    ("flow", showFlow),
    ("reorder", showReordering),
    ("page", showPage),
]

let wanted = CommandLine.arguments.dropFirst()
for name in wanted where !subjects.contains(where: { $0.name == name }) {
    fatalError("there is no subject '\(name)': \(subjects.map(\.name).joined(separator: ", "))")
}
for subject in subjects where wanted.isEmpty || wanted.contains(subject.name) {
    print("== \(subject.name)")
    try await subject.show()
}
