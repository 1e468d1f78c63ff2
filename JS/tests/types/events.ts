// Type tests, compiled and never run: code that must type-check and, by @ts-expect-error, code that must not.

class Door extends EventTarget {
    open(): boolean {
        return this.dispatchEvent(new CustomEvent("open", { detail: { angle: 90 }, cancelable: true }));
    }
}

function listen(door: Door, signal: AbortSignal): void {
    door.addEventListener("open", (event: CustomEvent<{ angle: number }>) => event.detail.angle.toFixed(), { once: true, signal });
    door.addEventListener("open", { handleEvent(event) { event.preventDefault(); } }, true);
    door.removeEventListener("open", null, { capture: true });
    signal.addEventListener("abort", (event) => event.isTrusted);
    signal.onabort = function (event) { this.throwIfAborted(); return event.timeStamp; };
    signal.onabort = null;
    const controller: AbortController = new AbortController();
    controller.abort(new DOMException("too late", "TimeoutError"));
    const code: number = new DOMException().code;
    AbortSignal.any(new Set([controller.signal, AbortSignal.timeout(code), AbortSignal.abort()]));
    bridge.callHandler("user", 1, { signal: AbortSignal.any([signal]) });
    const phase: 2 = Event.AT_TARGET;
    new Event("x").initEvent("y", phase === 2);
}

function copy(): string {
    const { read, written } = new TextEncoder().encodeInto("text", new TextEncoder().encode());
    const decoder: TextDecoder = new TextDecoder("utf-8", { fatal: read > written, ignoreBOM: true });
    const { buffer } = structuredClone({ buffer: new ArrayBuffer(4) }, { transfer: new Set([new ArrayBuffer(1)]) });
    // @ts-expect-error a string has no bytes
    decoder.decode("text");
    return decoder.decode(new DataView(buffer), { stream: true }) + decoder.decode();
}

function wrong(event: Event, controller: AbortController): void {
    // @ts-expect-error an event needs a type
    new Event();
    // @ts-expect-error scripts cannot construct signals
    new AbortSignal();
    // @ts-expect-error isTrusted is read-only
    event.isTrusted = true;
    // @ts-expect-error a listener is not a string
    controller.signal.addEventListener("abort", "code");
    // @ts-expect-error a controller is not a signal
    AbortSignal.any([controller]);
}
