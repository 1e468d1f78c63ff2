const tasks = bridge.store().fetch('task', { where: { done: false }, sort: ['title'] });

async function* changesOf(query) {
    const pending = [];
    let wake = () => {};
    const stop = query.onChange((changes) => { pending.push(changes); wake(); });
    try {
        for (;;) {
            while (pending.length > 0) yield pending.shift();
            await new Promise((resolve) => { wake = resolve; });
        }
    } finally {
        stop();
    }
}

(async () => {
    for await (const changes of changesOf(tasks)) {
        const kinds = changes.items.map((item) => item.type).join(' and ');
        bridge.notify('changed', `${kinds}; open: ${[...tasks].map((task) => task.title).join(', ')}`);
    }
})();
