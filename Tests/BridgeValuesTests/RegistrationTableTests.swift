import BridgeValues
import TestSupport
import Testing

@Suite("Registrations")
struct RegistrationTableTests {
    @Test("elements keep their order, and each is found and removed by its id")
    func order() {
        var table = RegistrationTable<String>()
        let ids = ["a", "b", "c"].map { table.add($0) }
        #expect(table.elements == ["a", "b", "c"])
        #expect(table.remove(ids[1]) == "b")
        #expect(table.remove(ids[1]) == nil)
        #expect(!table.contains(ids[1]))
        let last = table.add("b")
        #expect(!ids.contains(last))
        #expect(table.elements == ["a", "c", "b"])
        #expect(table.registrations.map(\.id) == [ids[0], ids[2], last])
        #expect(table.remove(0) == nil)
        #expect(table.remove(last + 1) == nil)
        #expect(table.count == 3)
    }

    @Test("the table finds what a dictionary finds, in any order of removal")
    func model() {
        var generator = SeededGenerator.fromEnvironment("registrations")
        var table = RegistrationTable<Int>()
        var model: [Int: Int] = [:]
        for element in 0..<5_000 {
            if Int.random(in: 0..<5, using: &generator) < 2 || element < 500 {
                model[table.add(element)] = element
            } else if let id = model.keys.randomElement(using: &generator) {
                #expect(table.remove(id) == model.removeValue(forKey: id))
            }
            #expect(table.count == model.count)
            #expect(table.isEmpty == model.isEmpty)
        }
        #expect(table.elements == model.sorted { $0.key < $1.key }.map(\.value))
        #expect(table.registrations.allSatisfy { model[$0.id] == $0.element && table.contains($0.id) })
        for id in model.keys { _ = table.remove(id) }
        #expect(table.isEmpty && table.elements.isEmpty)
    }
}
