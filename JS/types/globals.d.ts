/**
 * Events and cancellation as in the DOM Standard (https://dom.spec.whatwg.org), for targets outside of a tree. Strings
 * as bytes as in the Encoding Standard (https://encoding.spec.whatwg.org), structured cloning as in the HTML Standard.
 * The package declares these types itself: a program that is checked with them does not need `lib: ["dom"]`.
 */

/** A listener: a function, which is called with the target as `this`, or an object with a method `handleEvent`. */
type EventListenerOrObject<Type extends Event = Event> =
    | ((this: any, event: Type) => unknown)
    | { handleEvent(event: Type): unknown };

/** Options of a listener. A boolean in their place is `capture`. */
interface AddEventListenerOptions {
    /**
     * Calls the listener before all listeners that do not capture. A listener is identified by its type, its callback
     * and `capture`.
     */
    capture?: boolean;
    /** Removes the listener before its first call. */
    once?: boolean;
    /** Prevents the listener from canceling the event. */
    passive?: boolean;
    /** A signal that removes the listener when it aborts. */
    signal?: AbortSignal;
}

/** Options of an event. */
interface EventInit {
    /** True for an event that bubbles, which has no effect without a tree; false by default. */
    bubbles?: boolean;
    /** True for an event that listeners can cancel; false by default. */
    cancelable?: boolean;
    /** True for an event that leaves a shadow tree, which has no effect here; false by default. */
    composed?: boolean;
}

/** An event that occurred at a target. */
declare class Event {
    /** The phase of an event that is not being dispatched. */
    static readonly NONE: 0;
    /** The phase before the target, which no event has here. */
    static readonly CAPTURING_PHASE: 1;
    /** The phase at the target. */
    static readonly AT_TARGET: 2;
    /** The phase after the target, which no event has here. */
    static readonly BUBBLING_PHASE: 3;
    /** Creates an event. */
    constructor(type: string, options?: EventInit);
    /** The type of the event. */
    readonly type: string;
    /** The target of the last dispatch. */
    readonly target: EventTarget | null;
    /** @deprecated Use `target`. */
    readonly srcElement: EventTarget | null;
    /** The target during the dispatch, otherwise null. */
    readonly currentTarget: EventTarget | null;
    /** Returns an array of the target during the dispatch, otherwise an empty array. */
    composedPath(): EventTarget[];
    /** The phase of an event that is not being dispatched. */
    readonly NONE: 0;
    /** The phase before the target, which no event has here. */
    readonly CAPTURING_PHASE: 1;
    /** The phase at the target. */
    readonly AT_TARGET: 2;
    /** The phase after the target, which no event has here. */
    readonly BUBBLING_PHASE: 3;
    /** The constant `AT_TARGET` during the dispatch, otherwise `NONE`. */
    readonly eventPhase: number;
    /** Prevents the listeners of the next phase from being called. */
    stopPropagation(): void;
    /** @deprecated Use `stopPropagation()`, which setting this property calls. */
    cancelBubble: boolean;
    /** Prevents all remaining listeners from being called. */
    stopImmediatePropagation(): void;
    /** The value of the option `bubbles`. */
    readonly bubbles: boolean;
    /** True if listeners can cancel the event. */
    readonly cancelable: boolean;
    /** @deprecated Use `preventDefault()`, which setting this property to `false` calls. */
    returnValue: boolean;
    /** Cancels the event, if it is cancelable and the listener is not passive. */
    preventDefault(): void;
    /** True if a listener has canceled the event. */
    readonly defaultPrevented: boolean;
    /** The value of the option `composed`. */
    readonly composed: boolean;
    /** True if the runtime created the event; never true for an event that a script created. */
    readonly isTrusted: boolean;
    /** The time of its creation, in milliseconds since the context was created, by the clock of the timers. */
    readonly timeStamp: number;
    /** @deprecated Use the constructor. */
    initEvent(type: string, bubbles?: boolean, cancelable?: boolean): void;
}

/** Options of an event with custom data. */
interface CustomEventInit<Detail = any> extends EventInit {
    /** The custom data; `null` by default. */
    detail?: Detail;
}

/** An event with custom data. */
declare class CustomEvent<Detail = any> extends Event {
    /** Creates an event. */
    constructor(type: string, options?: CustomEventInit<Detail>);
    /** The custom data. */
    readonly detail: Detail;
    /** @deprecated Use the constructor. */
    initCustomEvent(type: string, bubbles?: boolean, cancelable?: boolean, detail?: Detail): void;
}

/** An object that has listeners. Classes can extend it. */
declare class EventTarget {
    /** Creates a target without listeners. */
    constructor();
    /**
     * Adds a listener, unless one with the same type, callback and `capture` exists.
     *
     * A listener that is added during a dispatch is not called for that event. An error that a listener throws is
     * reported once as an uncaught error, and the other listeners still run.
     */
    addEventListener(type: string, callback: EventListenerOrObject<any> | null, options?: AddEventListenerOptions | boolean): void;
    /** Removes a listener. It is not called any more, not even for an event that is being dispatched. */
    removeEventListener(type: string, callback: EventListenerOrObject<any> | null, options?: { capture?: boolean } | boolean): void;
    /**
     * Dispatches an event: calls the listeners of its type synchronously, in the order in which they were added.
     *
     * @returns False if a listener canceled the event, otherwise true.
     * @throws DOMException `InvalidStateError` if the event is being dispatched already.
     */
    dispatchEvent(event: Event): boolean;
}

/** An error that is identified by its name: `AbortError`, `TimeoutError`, `InvalidStateError`. */
declare class DOMException extends Error {
    /** Creates an error. The default name is `Error`. */
    constructor(message?: string, name?: string);
    /** The name, which identifies the error. */
    readonly name: string;
    /** The message for people. */
    readonly message: string;
    /** The legacy code of the name, 20 for `AbortError`; 0 for newer names. */
    readonly code: number;
}

/** A controller that aborts its signal. */
declare class AbortController {
    /** Creates a controller with a signal that has not aborted. */
    constructor();
    /** The signal of this controller; always the same object. */
    readonly signal: AbortSignal;
    /** Aborts the signal, once. The default reason is an `AbortError`. */
    abort(reason?: any): void;
}

/** A signal that notifies its holders that an operation is aborted. */
declare class AbortSignal extends EventTarget {
    private constructor();
    /** Returns a signal that has aborted. */
    static abort(reason?: any): AbortSignal;
    /**
     * Returns a signal that aborts after the given milliseconds with a `TimeoutError`. It does not keep a run from
     * ending.
     */
    static timeout(milliseconds: number): AbortSignal;
    /** Returns a signal that aborts when the first of the given signals aborts, with the same reason. */
    static any(signals: Iterable<AbortSignal>): AbortSignal;
    /** True if the signal has aborted. */
    readonly aborted: boolean;
    /** The reason of the abort; `undefined` before it. */
    readonly reason: any;
    /** Throws the reason if the signal has aborted. */
    throwIfAborted(): void;
    /** The handler of the event `abort`. */
    onabort: ((this: AbortSignal, event: Event) => unknown) | null;
    /** Adds a listener of the event `abort`. */
    addEventListener(type: "abort", callback: EventListenerOrObject | null, options?: AddEventListenerOptions | boolean): void;
    /** Adds a listener of another event. */
    addEventListener(type: string, callback: EventListenerOrObject<any> | null, options?: AddEventListenerOptions | boolean): void;
}

/** An encoder of strings as UTF-8. An unpaired surrogate becomes U+FFFD. */
declare class TextEncoder {
    /** Creates an encoder. */
    constructor();
    /** The encoding, always `"utf-8"`. */
    readonly encoding: string;
    /** Returns the bytes of a string, by default of an empty one. */
    encode(text?: string): Uint8Array;
    /** Writes as many whole characters as fit. Returns the numbers of UTF-16 code units read and of bytes written. */
    encodeInto(text: string, destination: Uint8Array): { read: number; written: number };
}

/** Options of a decoder. */
interface TextDecoderOptions {
    /** Throws a `TypeError` for invalid bytes, which otherwise become U+FFFD. */
    fatal?: boolean;
    /** Keeps a byte order mark in the string. */
    ignoreBOM?: boolean;
}

/** A decoder of bytes as strings. */
declare class TextDecoder {
    /**
     * @param label One of the Encoding Standard's labels of UTF-8, UTF-16LE or UTF-16BE.
     * @throws RangeError for any other label.
     */
    constructor(label?: string, options?: TextDecoderOptions);
    /** The name of the encoding, in lower case. */
    readonly encoding: string;
    /** True if invalid bytes throw a `TypeError`. */
    readonly fatal: boolean;
    /** True if a byte order mark stays in the string. */
    readonly ignoreBOM: boolean;
    /** Decodes bytes. With `stream`, an incomplete sequence at the end is kept for the next call. */
    decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}

/**
 * Copies a value deeply. The copy has the same cycles and shared references; prototypes are lost, and functions cannot
 * be copied.
 *
 * @param options The buffers and message ports in `transfer` move into the copy and are detached here.
 * @throws DOMException `DataCloneError` for a value that cannot be copied, with its key path.
 */
declare function structuredClone<Value>(value: Value, options?: { transfer?: Iterable<object> }): Value;
