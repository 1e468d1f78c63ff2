let summaries = 0;

bridge.registerHandler('summary', async (id) => {
    const article = await bridge.callHandler('article', id);
    const title = await bridge.callHandler('translate', article.title);
    summaries += 1;
    console.log(`summary ${summaries}`);
    return `${title}, ${Math.ceil(article.words / 200)} minutes`;
});

bridge.registerHandler('longest', (titles) => {
    const lengths = titles.map((title) => title.lenght.toFixed());
    return lengths.sort().pop();
});

let abandoned = 0;

bridge.registerHandler('publish', async (id, _, call) => {
    call.signal.addEventListener('abort', () => { abandoned += 1; });
    await new Promise((resolve) => setTimeout(resolve, 60_000));
});

bridge.registerHandler('abandoned', () => abandoned);
