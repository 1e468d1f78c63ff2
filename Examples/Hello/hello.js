bridge.registerHandler('receipt', async ({ item, count }) => {
    const price = await bridge.callHandler('price', item);
    return { text: `${count} × ${item} = ${price * count}` };
});
