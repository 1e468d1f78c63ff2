// Calls of handlers whose declarations a program wrote (people.d.ts). Compiled, never run: a line after @ts-expect-error
// that is no error is one.

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
    // @ts-expect-error it would answer after the script that waits for it
    bridge.callHandlerSync("people.find", { name: "Ada" });
    // @ts-expect-error data is missing
    bridge.callHandlerSync("total");
    // @ts-expect-error there is no such handler
    await bridge.callHandler("people.fnid", { name: "Ada" });
    // @ts-expect-error a name that is known only at run time has to be called one
    await bridge.callHandler(name, 1);
    // @ts-expect-error a member is spelled otherwise
    await bridge.callHandler("people.find", { nme: "Ada" });
    // @ts-expect-error a member is of another type
    await bridge.callHandler("people.find", { name: "Ada", limit: "three" });
    // @ts-expect-error data is missing
    await bridge.callHandler("total");
    // @ts-expect-error the reply is something else
    const wrong: string = await bridge.callHandler("total", [1]);
    // @ts-expect-error the items are something else
    for await (const one of bridge.openStream("people.watch", "A")) one.trim();
    // @ts-expect-error another shape
    bridge.notify("log", 7);
    wrong.trim();
}
void calls;
