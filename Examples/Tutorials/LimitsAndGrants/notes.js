async function attempt(what, body) {
    try {
        console.log(`${what}: ${JSON.stringify(await body())}`);
    } catch (error) {
        console.log(`${what}: ${error.code}, ${error.message}`);
    }
}

bridge.registerHandler('useHandlers', async (note) => {
    await attempt('share', () => bridge.callHandler('notes.share', note));
    await attempt('clear', () => bridge.callHandler('notes.clear'));
    await attempt('read a file', () => bridge.callHandler('files.read', '/etc/passwd'));
    await attempt('share again', () => bridge.callHandler('notes.share', note));
    await attempt('and again', () => bridge.callHandler('notes.share', note));
});

bridge.registerHandler('useRows', async (count) => {
    const store = bridge.store();
    const titles = () => store.fetch('note', { sort: 'title' }).window(0, 0, count).map((note) => note.title);
    await attempt('titles', titles);
    await attempt('by mood', () => store.fetch('note', { sort: 'mood' }).count);
    await attempt('insert', () => store.insert('note', { title: 'mine' }));
});
