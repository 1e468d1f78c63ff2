let limit = Infinity;
bridge.on("limit", value => { limit = value; });
bridge.registerHandler("average", async (item, _, call) => {
    let sum = 0, count = 0;
    for await (const price of bridge.openStream("prices", item, { signal: call.signal })) {
        sum += price;
        call.progress(++count / 5);
        if (price > limit) bridge.emit("alarm", price);
    }
    return sum / count;
});
bridge.registerHandler("letters", async function* (text) {
    for (const letter of text) yield letter;
});
bridge.registerHandler("wait", (what, _, call) => new Promise((_, reject) => {
    call.signal.addEventListener("abort", () => reject(call.signal.reason));
}));
