async function attempt(what, body) {
    try {
        console.log(`${what}: ${JSON.stringify(await body())}`);
    } catch (error) {
        console.log(`${what}: ${error.code}, ${error.message}`);
    }
}

bridge.registerHandler('useHandlers', async () => {
    await attempt('share', () => bridge.callHandler('notes.share', 1));
    await attempt('clear', () => bridge.callHandler('notes.clear'));
    await attempt('read a file', () => bridge.callHandler('files.read', '/etc/passwd'));
    await attempt('share again', () => bridge.callHandler('notes.share', 2));
    await attempt('and again', () => bridge.callHandler('notes.share', 3));
});

bridge.registerHandler('useRows', async () => {
    const store = bridge.store();
    await attempt('titles', () => store.fetch('note', { sort: 'title' }).window().map((note) => note.title));
    await attempt('by mood', () => store.fetch('note', { sort: 'mood' }).count);
    await attempt('insert', () => store.insert('note', { title: 'mine' }));
});
