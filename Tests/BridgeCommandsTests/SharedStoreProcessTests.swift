import Foundation
import Testing

/// Two runs of the tool over one store, each a process of its own.
@Suite struct SharedStoreProcessTests {
    @Test("J4 two processes over one store hear of each other's commits row by row")
    func rows() async throws {
        let workplace = try Workplace()
        let head = """
            const store = bridge.store();
            store.createEntity('note', { text: 'string', size: 'integer' });
            const notes = store.fetch('note', { sort: 'text' });
            // Nothing waits for ever: a test that fails here says what was not heard.
            const limit = setTimeout(() => { console.log('nothing more was heard'); notes.close(); }, 60000);
            const listen = body => notes.onChange(changes => {
                if (body(changes.items.map(({ type, id }) => type + ' ' + id).join(', '))) return;
                clearTimeout(limit);
                notes.close();
            });

            """
        let first = try workplace.write(
            head + """
                listen(items => {
                    console.log(items);
                    if (notes.count === 3) store.update('note', notes.item(0, 1).id, { size: 7 });
                    return notes.count > 0;
                });
                console.log('ready');
                """,
            to: "first.js"
        )
        let second = try workplace.write(
            head + """
                store.transaction(() => { for (const text of ['a', 'b', 'c']) store.insert('note', { text, size: 0 }) });
                listen(items => {
                    console.log(items, notes.item(0, 1).size);
                    store.transaction(() => { for (const id of [1, 2, 3]) store.delete('note', id) });
                    return false;
                });
                """,
            to: "second.js"
        )
        let arguments = ["run", "--store", workplace.file("notes.db"), "--shared"]
        let program = RunningProcess.built("jsbridge")
        let listener = try RunningProcess(program, arguments + [first], in: workplace)
        #expect(await listener.firstLine() == "ready\n")
        let writer = try await RunningProcess(program, arguments + [second], in: workplace).end()
        #expect(writer.output == "update 2 7\n")
        #expect(writer.errorOutput == "")
        #expect(writer.status == 0)
        let heard = await listener.end()
        // What it wrote itself is told, too.
        #expect(heard.output == "insert 1, insert 2, insert 3\nupdate 2\ndelete 1, delete 2, delete 3\n")
        #expect(heard.errorOutput == "")
        #expect(heard.status == 0)
    }
}
