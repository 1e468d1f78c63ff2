// Type tests, compiled and never run: code that must type-check and, by @ts-expect-error, code that must not.

interface User { id: number; name: string }

async function calls(signal: BridgeAbortSignal): Promise<void> {
    const user = await bridge.callHandler<User>("user", { id: 7 }, { timeout: 2000, signal });
    const name: string = user.name;
    const now: User = bridge.callHandlerSync<User>("user", { id: 7 });
    console.log(now.name);
    // @ts-expect-error: it has no options, since it blocks
    bridge.callHandlerSync("user", 1, { timeout: 1 });
    const anything = await bridge.callHandler("user");
    anything.whatever;
    bridge.notify("log", name);
    const removed: boolean = bridge.removeHandler("total");
    if (removed) return;

    // @ts-expect-error a timeout is a number
    bridge.callHandler("user", 1, { timeout: "2s" });
    // @ts-expect-error a name is a string
    bridge.callHandler(7);
    // @ts-expect-error a notification has no options
    bridge.notify("log", 1, { timeout: 5 });
    // @ts-expect-error a signal has an event target's methods
    bridge.callHandler("user", 1, { signal: { aborted: true } });
    // @ts-expect-error the bridge cannot be replaced
    bridge = undefined;
}

function handlers(): void {
    bridge.registerHandler("total", (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0));
    bridge.registerHandler("later", async (data) => data);
    bridge.registerHandler<User, string>("callback", (user, responseCallback) => { responseCallback(user.name); });
    // @ts-expect-error a handler is a function
    bridge.registerHandler("none", 7);

    WebViewJavascriptBridge.registerHandler("old", (data, responseCallback) => { responseCallback(data); });
    WebViewJavascriptBridge.callHandler("user", { id: 7 }, (user: User) => { console.log(user.name); });
    WebViewJavascriptBridge.callHandler("user", (user: User) => { console.log(user.name); });
    WebViewJavascriptBridge.callHandler("user");
    WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();
    const text: string = WebViewJavascriptBridge._fetchQueue();
    WebViewJavascriptBridge._handleMessageFromNative(text);
    WVJBCallbacks = [(theBridge) => { theBridge.callHandler("ready"); }];
}

function errors(): void {
    try {
        throw new BridgeError("shop.outOfStock", "None left.", { data: { left: 0 }, cause: new Error("why") });
    } catch (error) {
        if (error instanceof BridgeError) {
            const isOver: boolean = error.code === "deadlineExceeded" || error.code === "shop.outOfStock";
            const message: string = error.message;
            console.error(isOver, message, error.data, error.cause);
        }
    }
    // @ts-expect-error a code is of the closed set or has a dot
    new BridgeError("outOfStock", "None left.");
    // @ts-expect-error a code is read-only
    new BridgeError("denied", "No.").code = "internal";
}

function globals(): void {
    const id: number = setTimeout((text: string) => console.log(text), 10, "text");
    clearTimeout(id);
    clearInterval(setInterval(() => {}, 10));
    queueMicrotask(() => {});
    console.table([{ a: 1 }], ["a"]);
    console.dir({ a: 1 }, { depth: null, colors: false });
    console.clear();
    // @ts-expect-error the global window does not exist
    window.alert("");
}

// Streams, events, progress and the third parameter of a handler.
async function extensions(): Promise<void> {
    for await (const tick of bridge.openStream<{ at: number }>("ticks", 1, { window: 8, timeout: 100 })) tick.at.toFixed();
    const stream = bridge.openStream<string>("lines");
    const step: IteratorResult<string> = await stream.next();
    if (!step.done) step.value.length;
    stream.close();
    const listener = (event: { id: number }): void => { event.id.toFixed(); };
    bridge.on("changed", listener);
    bridge.once("changed", listener);
    bridge.off("changed", listener);
    bridge.off("changed");
    const isHeard: boolean = bridge.emit("moved", { x: 1 });
    isHeard.valueOf();
    await bridge.callHandler<number>("work", 1, { onProgress: (part: number) => part.toFixed() });
    bridge.registerHandler("slow", async (data: number, _: unknown, call: BridgeCall) => {
        call.progress(data);
        call.signal.throwIfAborted();
        return call.timeRemaining.toFixed() + call.name;
    });
    for (const handler of await bridge.describe({ timeout: 100 })) {
        const isStream: boolean = handler.kind === "stream";
        if (isStream && handler.deprecated === undefined) handler.summary?.trim();
        // @ts-expect-error the list is read-only
        handler.name = "other";
    }
    const task = await bridge.callHandler<{ done: BridgeFunction<[number], string>; shop: BridgeObject<{ buy(id: number): number }> }>("task");
    (await task.done(1)).trim();
    // @ts-expect-error it accepts a number
    await task.done("1");
    (await task.shop.buy(7)).toFixed();
    // @ts-expect-error no such method
    await task.shop.sell(7);
    task.done.release();
    task.shop.release();
    await bridge.callHandler("watch", { shop: bridge.reference({ buy: () => 1 }), onChange: () => {} });
    const bought = await bridge.callReference<number>(task.shop, [7], { method: "buy", timeout: 10, signal: new AbortController().signal });
    bought.toFixed();
    const user = bridge.pipeline<{ id: number }>("user", { id: 7 });
    (await user).id.toFixed();
    await bridge.callHandler("orders", { owner: user.get("id") });
    (await user.get("friends", 0).call(1)).any;
    const shop = bridge.module("shop");
    const item = await shop.find<{ id: number }>({ id: 7 }, { timeout: 5, signal: new AbortController().signal, onProgress: () => {} });
    item.id.toFixed();
    for await (const one of shop.all.openStream<{ id: number }>(null, { window: 4 })) one.id.toFixed();
    shop.items.seen.notify(item);
    shop.count.callHandlerSync<number>().toFixed();
    (await shop.find.pipeline<{ id: number }>({ id: 7 })).id.toFixed();
    const same: typeof shop = await shop;
    const text: string = same.toString() + shop.find.name;
    text.trim();
    // @ts-expect-error a module is not a promise
    shop.then(() => {});
    // @ts-expect-error it has no options, since it blocks
    shop.count.callHandlerSync(1, { timeout: 1 });
    // @ts-expect-error a namespace is a string
    bridge.module(1);
    // @ts-expect-error a step is a string or a number
    user.get({});
    // @ts-expect-error a string is not a reference
    await bridge.callReference("buy");
    // @ts-expect-error a number has no methods
    bridge.reference(1);
    // @ts-expect-error a topic is a string
    bridge.on(1, listener);
}
extensions();
