/**
 * Events and cancellation as the DOM standard has them (https://dom.spec.whatwg.org), for targets that are in no tree;
 * texts as bytes by the Encoding standard (https://encoding.spec.whatwg.org), copies of values by the HTML standard.
 * They are the package's own: a program that is checked with these types needs no `lib: ["dom"]`.
 */

/** What is called with an event: a function, whose `this` is the target, or an object with a method. */
type EventListenerOrObject<Type extends Event = Event> =
    | ((this: any, event: Type) => unknown)
    | { handleEvent(event: Type): unknown };

/** How a listener listens. A boolean in its place is `capture`. */
interface AddEventListenerOptions {
    /** Called before all that do not capture. A listener is told from others by its type, its callback and this. */
    capture?: boolean;
    /** Removed before its first call. */
    once?: boolean;
    /** Cannot cancel the event. */
    passive?: boolean;
    /** Removed when this aborts. */
    signal?: AbortSignal;
}

interface EventInit {
    bubbles?: boolean;
    cancelable?: boolean;
    composed?: boolean;
}

/** Something that has happened to a target. */
declare class Event {
    static readonly NONE: 0;
    static readonly CAPTURING_PHASE: 1;
    static readonly AT_TARGET: 2;
    static readonly BUBBLING_PHASE: 3;
    constructor(type: string, options?: EventInit);
    readonly type: string;
    /** What it was dispatched to last. */
    readonly target: EventTarget | null;
    /** @deprecated By its newer name `target`. */
    readonly srcElement: EventTarget | null;
    /** The target while it is dispatched. */
    readonly currentTarget: EventTarget | null;
    /** The target while it is dispatched, else nothing. */
    composedPath(): EventTarget[];
    readonly NONE: 0;
    readonly CAPTURING_PHASE: 1;
    readonly AT_TARGET: 2;
    readonly BUBBLING_PHASE: 3;
    /** `AT_TARGET` while it is dispatched, else `NONE`. */
    readonly eventPhase: number;
    /** Keeps the event from the listeners of the next phase. */
    stopPropagation(): void;
    /** @deprecated `stopPropagation()` as something to set. */
    cancelBubble: boolean;
    /** Keeps the event from all listeners that have not been called. */
    stopImmediatePropagation(): void;
    readonly bubbles: boolean;
    readonly cancelable: boolean;
    /** @deprecated `preventDefault()` as something to set to `false`. */
    returnValue: boolean;
    /** Cancels the event, if it can be canceled and the listener is not passive. */
    preventDefault(): void;
    readonly defaultPrevented: boolean;
    readonly composed: boolean;
    /** Whether the runtime has made it: no script can. */
    readonly isTrusted: boolean;
    /** When it was made, in milliseconds since the context was, by the clock that timers go by. */
    readonly timeStamp: number;
    /** @deprecated By the constructor. */
    initEvent(type: string, bubbles?: boolean, cancelable?: boolean): void;
}

interface CustomEventInit<Detail = any> extends EventInit {
    detail?: Detail;
}

/** An event that carries something. */
declare class CustomEvent<Detail = any> extends Event {
    constructor(type: string, options?: CustomEventInit<Detail>);
    readonly detail: Detail;
    /** @deprecated By the constructor. */
    initCustomEvent(type: string, bubbles?: boolean, cancelable?: boolean, detail?: Detail): void;
}

/** What has listeners. Classes extend it. */
declare class EventTarget {
    constructor();
    /**
     * Adds a listener, unless one of the same type, callback and `capture` is there.
     *
     * One that is added while an event is dispatched is not called for it. What a listener throws is reported as an
     * uncaught error, once, and stops no other listener.
     */
    addEventListener(type: string, callback: EventListenerOrObject<any> | null, options?: AddEventListenerOptions | boolean): void;
    /** Removes a listener, which is then not called any more, not even for an event that is being dispatched. */
    removeEventListener(type: string, callback: EventListenerOrObject<any> | null, options?: { capture?: boolean } | boolean): void;
    /**
     * Calls the listeners of the event's type, in the order in which they were added, before this returns.
     *
     * @returns Whether nobody canceled the event.
     * @throws DOMException `InvalidStateError` if the event is being dispatched already.
     */
    dispatchEvent(event: Event): boolean;
}

/** An error that is known by its name: `AbortError`, `TimeoutError`, `InvalidStateError`. */
declare class DOMException extends Error {
    constructor(message?: string, name?: string);
    readonly name: string;
    readonly message: string;
    /** The number that the name had once, 20 for `AbortError`; 0 for newer names. */
    readonly code: number;
}

/** Cancels what follows its signal. */
declare class AbortController {
    constructor();
    /** Always the same one. */
    readonly signal: AbortSignal;
    /** Aborts the signal, once; without a reason with an `AbortError`. */
    abort(reason?: any): void;
}

/** Tells whoever has it that something is wanted no more. */
declare class AbortSignal extends EventTarget {
    private constructor();
    /** A signal that has aborted. */
    static abort(reason?: any): AbortSignal;
    /** A signal that aborts after so many milliseconds, with a `TimeoutError`. It keeps no run going. */
    static timeout(milliseconds: number): AbortSignal;
    /** A signal that aborts when the first of these does, with its reason. */
    static any(signals: Iterable<AbortSignal>): AbortSignal;
    readonly aborted: boolean;
    readonly reason: any;
    /** Throws the reason, if it has aborted. */
    throwIfAborted(): void;
    onabort: ((this: AbortSignal, event: Event) => unknown) | null;
    addEventListener(type: "abort", callback: EventListenerOrObject | null, options?: AddEventListenerOptions | boolean): void;
    addEventListener(type: string, callback: EventListenerOrObject<any> | null, options?: AddEventListenerOptions | boolean): void;
}

/** Turns text into UTF-8. Half a surrogate pair becomes U+FFFD. */
declare class TextEncoder {
    constructor();
    /** Always `"utf-8"`. */
    readonly encoding: string;
    encode(text?: string): Uint8Array;
    /** Writes as many whole characters as there is room for: how many units of the text and how many bytes that was. */
    encodeInto(text: string, destination: Uint8Array): { read: number; written: number };
}

interface TextDecoderOptions {
    /** Throws a `TypeError` for bytes that mean nothing, which otherwise become U+FFFD. */
    fatal?: boolean;
    /** Keeps a byte order mark in the text. */
    ignoreBOM?: boolean;
}

/** Turns bytes into text. */
declare class TextDecoder {
    /**
     * @param label One of the Encoding standard's names for UTF-8, UTF-16LE or UTF-16BE.
     * @throws RangeError for a label of none of them.
     */
    constructor(label?: string, options?: TextDecoderOptions);
    readonly encoding: string;
    readonly fatal: boolean;
    readonly ignoreBOM: boolean;
    /** With `stream`, what is unfinished at the end waits for the bytes of the next call. */
    decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}

/**
 * Copies a value with all that is in it: cycles and what is shared stay so, prototypes and functions do not cross.
 *
 * @param options What is in `transfer` moves into the copy and is detached here.
 * @throws DOMException `DataCloneError` for what cannot be copied, with its place in the value.
 */
declare function structuredClone<Value>(value: Value, options?: { transfer?: Iterable<ArrayBuffer> }): Value;
