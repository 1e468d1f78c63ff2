// Types of replies, compiled and never run: they are narrower than the types of data that a script may send.

async function replies(): Promise<void> {
    const bytes = await bridge.callHandler("give.bytes");
    const first: number = bytes.length > 0 ? bytes[0] : 0;
    const date = await bridge.callHandler("give.date");
    date.getTime();
    const digits = await bridge.callHandler("give.decimal");
    digits.split(".");
    const forgiving = await bridge.callHandler("give.forgiving");
    const limit: number = forgiving.limit + first;
    const defaulted = await bridge.callHandler("give.defaulted");
    const more: number = defaulted.limit + limit;
    const either = await bridge.callHandler("give.either");
    if (typeof either === "number") either.toFixed(more); else either.trim();
    const record = await bridge.callHandler("give.record");
    record.id.toFixed();
    // A reply can be sent as data.
    await bridge.callHandler("Record", record);
    await bridge.callHandler("Forgiving", forgiving);
    // @ts-expect-error it is not a string
    bytes.trim();
    // @ts-expect-error it is not a number
    digits.toFixed();
    // @ts-expect-error it may be a string
    either.toFixed();
    // @ts-expect-error a member is misspelled
    record.tag;
    // @ts-expect-error it is a stream
    await bridge.callHandler("give.stream");
    // @ts-expect-error it is a stream
    bridge.pipeline("give.stream");
    // @ts-expect-error it is a stream
    WebViewJavascriptBridge.callHandler("give.stream");
    for await (const item of bridge.openStream("give.stream")) item.toFixed();
    // A handler that replies once gives a stream of one item.
    for await (const item of bridge.openStream("give.record")) item.id.toFixed();
}
void replies;
