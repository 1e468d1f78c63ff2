// Calls of handlers whose declarations a program wrote (people.d.ts). Compiled, never run: an expected error
// (`@ts-expect-error`) that is missing is an error itself.

async function calls(name: string): Promise<void> {
    const total: number = await bridge.callHandler("total", [1, 2, 3], { timeout: 5 });
    const person = await bridge.callHandler("people.find", { name: "Ada" });
    if (person !== null) {
        const id: number = person.id + total;
        const role: "admin" | "guest" = person.reports[0]?.role ?? "guest";
        await bridge.callHandler("people.add", { ...person, id, role, born: new Date(0), photo: new Uint8Array(2) });
    }
    for await (const one of bridge.openStream("people.watch", "A", { window: 4 })) one.name.trim();
    bridge.notify("log");
    bridge.notify("log", "line");
    const anything: number = await bridge.callHandler("old", { any: ["thing"] });
    const unknown: string = await bridge.callHandler<string>(name as BridgeOtherName, anything);
    unknown.trim();

    const sum: number = bridge.callHandlerSync("total", [1, 2]);
    sum.toFixed();
    // @ts-expect-error it would reply after the blocked script
    bridge.callHandlerSync("people.find", { name: "Ada" });
    // @ts-expect-error data is missing
    bridge.callHandlerSync("total");
    // @ts-expect-error the handler does not exist
    await bridge.callHandler("people.fnid", { name: "Ada" });
    // @ts-expect-error a name that is known only at run time needs a cast
    await bridge.callHandler(name, 1);
    // @ts-expect-error a member is misspelled
    await bridge.callHandler("people.find", { nme: "Ada" });
    // @ts-expect-error a member has another type
    await bridge.callHandler("people.find", { name: "Ada", limit: "three" });
    // @ts-expect-error data is missing
    await bridge.callHandler("total");
    // @ts-expect-error the reply has another type
    const wrong: string = await bridge.callHandler("total", [1]);
    // @ts-expect-error the items have another type
    for await (const one of bridge.openStream("people.watch", "A")) one.trim();
    // @ts-expect-error another shape
    bridge.notify("log", 7);
    wrong.trim();

    // The pending result of a call can replace any value in the data of another.
    const ada = bridge.pipeline("people.find", { name: "Ada" }, { timeout: 5 });
    (await ada)?.name.trim();
    await bridge.callHandler("people.find", { name: ada.get("name"), limit: 5n });
    await bridge.callHandler("total", [1, ada.get("id")]);
    await bridge.callHandler("total", ada);
    bridge.pipeline("log").then(() => {});
    bridge.pipeline<number>(name as BridgeOtherName, 1);
    // @ts-expect-error the handler does not exist
    bridge.pipeline("people.fnid", { name: "Ada" });
    // @ts-expect-error a member has another type
    bridge.pipeline("people.find", { name: 5 });
    // @ts-expect-error it is a stream
    await bridge.callHandler("people.watch", "A");
    // @ts-expect-error it is a stream
    bridge.pipeline("people.watch", "A");
}

function callbacks(name: string): void {
    WebViewJavascriptBridge.callHandler("people.find", { name: "Ada" }, (person) => { person?.name.trim(); });
    WebViewJavascriptBridge.callHandler("people.find", { name: "Ada" });
    WebViewJavascriptBridge.callHandler("log");
    WebViewJavascriptBridge.callHandler("log", () => {});
    WebViewJavascriptBridge.callHandler("old", (reply) => reply.anything);
    WebViewJavascriptBridge.callHandler("old", { any: ["thing"] }, (reply) => reply.anything);
    WebViewJavascriptBridge.callHandler<string>(name as BridgeOtherName, {}, (reply) => reply.trim());
    // @ts-expect-error the handler does not exist
    WebViewJavascriptBridge.callHandler("people.fnid", {}, () => {});
    // @ts-expect-error data is missing
    WebViewJavascriptBridge.callHandler("total", () => {});
    // @ts-expect-error data has another type
    WebViewJavascriptBridge.callHandler("total", "1", () => {});
    // @ts-expect-error the reply has another type
    WebViewJavascriptBridge.callHandler("total", [1], (sum) => sum.trim());
    // @ts-expect-error it is a stream
    WebViewJavascriptBridge.callHandler("people.watch", "A", () => {});
}

// The same handlers as methods of their namespaces.
async function modules(name: string): Promise<void> {
    const people = bridge.module("people");
    const person = await people.find({ name: "Ada", limit: 5n }, { timeout: 5, onProgress: () => {} });
    if (person !== null) await people.add({ ...person, born: new Date(0) });
    people.add.notify(person!);
    people.add.callHandlerSync(person!);
    for await (const one of people.watch.openStream("A", { window: 4 })) one.name.trim();
    people.watch.notify("A");
    const count: number = people.friends.count.callHandlerSync(7);
    count.toFixed();
    (await people.friends.find({ name: "Ada" }))[0]?.name.trim();
    (await bridge.module("people.friends").find({ name: "Ada" }))[0]?.name.trim();
    // A member of every method hides the handler of its group with that name; the group's own module has the handler.
    (await bridge.module("people.friends").notify()).trim();
    const sum: number = await bridge.module("").total([1]);
    await bridge.module("").people.friends.count(sum);
    (await people.find.pipeline({ name: "Ada" }).get("name")).any;
    const itself: typeof people = await people;
    const text: string = itself.toString() + people.find.name;
    text.trim();
    const deep: number = await bridge.module("deep.1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19.20.21.22.23.24.25.26.27.28.29.30.31.32.33.34.35.36.37.38.39")[40](1);
    const anything: number = await bridge.module(name as BridgeOtherName).anything.at.all({ any: "thing" });
    anything.toFixed(deep);
    // @ts-expect-error the namespace does not exist
    bridge.module("poeple");
    // @ts-expect-error a handler is not a namespace
    bridge.module("total");
    // @ts-expect-error a namespace that is known only at run time needs a cast
    bridge.module(name);
    // @ts-expect-error a namespace is a string
    bridge.module(7);
    // @ts-expect-error the handler does not exist
    await people.fnid({ name: "Ada" });
    // @ts-expect-error a member is misspelled
    await people.find({ nme: "Ada" });
    // @ts-expect-error a member has another type
    await people.find({ name: "Ada", limit: "three" });
    // @ts-expect-error data is missing
    await people.find();
    // @ts-expect-error the option does not exist
    await people.find({ name: "Ada" }, { timeout: "5" });
    // @ts-expect-error the reply has another type
    const wrong: string = await people.find({ name: "Ada" });
    wrong.trim();
    // @ts-expect-error it is a stream
    await people.watch("A");
    // @ts-expect-error it is a stream
    people.watch.pipeline("A");
    // @ts-expect-error the items have another type
    for await (const one of people.watch.openStream("A")) one.trim();
    // @ts-expect-error it would reply after the blocked script
    people.find.callHandlerSync({ name: "Ada" });
    // @ts-expect-error a notification has no options
    people.add.notify(person!, { timeout: 5 });
    // @ts-expect-error a group is not a handler
    await people.friends({ name: "Ada" });
    // @ts-expect-error the group has no handler of that name
    await people.friends.fnid({ name: "Ada" });
    // @ts-expect-error a module is not a promise, whatever handlers exist
    people.then(() => {});
    // @ts-expect-error a method is read-only
    people.find = people.find;
}
void calls;
void modules;
void callbacks;
