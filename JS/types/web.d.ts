/**
 * The globals of the set `web`: a part of the Minimum Common Web API (ECMA-429). A context with the set `minimal` has
 * none of these names.
 */

/** The global object. It is an event target of `error`, `unhandledrejection` and `rejectionhandled`. */
declare var self: typeof globalThis;

/** Adds a listener of uncaught errors to the global object. */
declare function addEventListener(
    type: "error", callback: EventListenerOrObject<ErrorEvent> | null, options?: AddEventListenerOptions | boolean,
): void;
/** Adds a listener of rejections that no code handles, or that code handles late. */
declare function addEventListener(
    type: "unhandledrejection" | "rejectionhandled", callback: EventListenerOrObject<PromiseRejectionEvent> | null,
    options?: AddEventListenerOptions | boolean,
): void;
/** Adds a listener of other events to the global object. */
declare function addEventListener(
    type: string, callback: EventListenerOrObject<any> | null, options?: AddEventListenerOptions | boolean,
): void;
/** Removes a listener from the global object. */
declare function removeEventListener(
    type: string, callback: EventListenerOrObject<any> | null, options?: { capture?: boolean } | boolean,
): void;
/** Dispatches an event at the global object. Returns false if a listener canceled it. */
declare function dispatchEvent(event: Event): boolean;

/** Decodes base64 to a string of bytes. @throws DOMException `InvalidCharacterError` if the text is not base64. */
declare function atob(data: string): string;
/** Encodes a string of bytes as base64. @throws DOMException `InvalidCharacterError` for a unit above 0xFF. */
declare function btoa(data: string): string;

/** The runtime. */
declare class Navigator {
    private constructor();
    /** The product token `JavaScriptBridge`. */
    readonly userAgent: string;
}
/** The runtime of the script. */
declare var navigator: Navigator;

// ---------------------------------------------------------------- errors

/**
 * Reports an error as if nothing had caught it: by an event `error` of the global object and, unless a listener cancels
 * it, to the host.
 */
declare function reportError(error: any): void;

/** Called for an uncaught error. It has handled the error if it returns true. */
declare var onerror:
    | ((this: typeof globalThis, message: string, filename: string, lineno: number, colno: number, error: any) => unknown)
    | null;
/** Called for a promise that has no handler at the end of the turn. `preventDefault()` stops the report to the host. */
declare var onunhandledrejection: ((this: typeof globalThis, event: PromiseRejectionEvent) => unknown) | null;
/** Called for a promise that gets a handler after it was reported. */
declare var onrejectionhandled: ((this: typeof globalThis, event: PromiseRejectionEvent) => unknown) | null;

/** Options of an event of an error. */
interface ErrorEventInit extends EventInit {
    /** The message; empty by default. */
    message?: string;
    /** The source URL of the script; empty by default. */
    filename?: string;
    /** The line; 0 by default. */
    lineno?: number;
    /** The column; 0 by default. */
    colno?: number;
    /** The thrown value. */
    error?: any;
}

/** An event of an uncaught error. */
declare class ErrorEvent extends Event {
    /** Creates an event. */
    constructor(type: string, options?: ErrorEventInit);
    /** The message of the error. */
    readonly message: string;
    /** The source URL of the script, empty if it is not known. */
    readonly filename: string;
    /** The line of the script, 0 if it is not known. */
    readonly lineno: number;
    /** The column of the line, 0 if it is not known. */
    readonly colno: number;
    /** The thrown value. */
    readonly error: any;
}

/** Options of an event of a rejected promise. */
interface PromiseRejectionEventInit extends EventInit {
    /** The promise. */
    promise: object;
    /** The reason of the rejection. */
    reason?: any;
}

/** An event of a rejected promise. */
declare class PromiseRejectionEvent extends Event {
    /** Creates an event. */
    constructor(type: string, options: PromiseRejectionEventInit);
    /** The promise. */
    readonly promise: Promise<any>;
    /** The reason of the rejection. */
    readonly reason: any;
}

/** The legacy codes of errors, which each error has too. */
interface DOMException {
    readonly INDEX_SIZE_ERR: 1;
    readonly DOMSTRING_SIZE_ERR: 2;
    readonly HIERARCHY_REQUEST_ERR: 3;
    readonly WRONG_DOCUMENT_ERR: 4;
    readonly INVALID_CHARACTER_ERR: 5;
    readonly NO_DATA_ALLOWED_ERR: 6;
    readonly NO_MODIFICATION_ALLOWED_ERR: 7;
    readonly NOT_FOUND_ERR: 8;
    readonly NOT_SUPPORTED_ERR: 9;
    readonly INUSE_ATTRIBUTE_ERR: 10;
    readonly INVALID_STATE_ERR: 11;
    readonly SYNTAX_ERR: 12;
    readonly INVALID_MODIFICATION_ERR: 13;
    readonly NAMESPACE_ERR: 14;
    readonly INVALID_ACCESS_ERR: 15;
    readonly VALIDATION_ERR: 16;
    readonly TYPE_MISMATCH_ERR: 17;
    readonly SECURITY_ERR: 18;
    readonly NETWORK_ERR: 19;
    readonly ABORT_ERR: 20;
    readonly URL_MISMATCH_ERR: 21;
    readonly QUOTA_EXCEEDED_ERR: 22;
    readonly TIMEOUT_ERR: 23;
    readonly INVALID_NODE_TYPE_ERR: 24;
    readonly DATA_CLONE_ERR: 25;
}

/** The legacy codes of errors. */
declare namespace DOMException {
    const INDEX_SIZE_ERR: 1;
    const DOMSTRING_SIZE_ERR: 2;
    const HIERARCHY_REQUEST_ERR: 3;
    const WRONG_DOCUMENT_ERR: 4;
    const INVALID_CHARACTER_ERR: 5;
    const NO_DATA_ALLOWED_ERR: 6;
    const NO_MODIFICATION_ALLOWED_ERR: 7;
    const NOT_FOUND_ERR: 8;
    const NOT_SUPPORTED_ERR: 9;
    const INUSE_ATTRIBUTE_ERR: 10;
    const INVALID_STATE_ERR: 11;
    const SYNTAX_ERR: 12;
    const INVALID_MODIFICATION_ERR: 13;
    const NAMESPACE_ERR: 14;
    const INVALID_ACCESS_ERR: 15;
    const VALIDATION_ERR: 16;
    const TYPE_MISMATCH_ERR: 17;
    const SECURITY_ERR: 18;
    const NETWORK_ERR: 19;
    const ABORT_ERR: 20;
    const URL_MISMATCH_ERR: 21;
    const QUOTA_EXCEEDED_ERR: 22;
    const TIMEOUT_ERR: 23;
    const INVALID_NODE_TYPE_ERR: 24;
    const DATA_CLONE_ERR: 25;
}

/** An error of a request that exceeds a limit. */
declare class QuotaExceededError extends DOMException {
    /** Creates an error. */
    constructor(message?: string, options?: { quota?: number; requested?: number });
    /** The limit; `null` if it is not known. */
    readonly quota: number | null;
    /** The amount that was requested; `null` if it is not known. */
    readonly requested: number | null;
}

// ---------------------------------------------------------------- messages

/** Options of an event of a message. */
interface MessageEventInit<Data = any> extends EventInit {
    /** The message; `null` by default. */
    data?: Data;
    /** The origin of the sender; empty by default. */
    origin?: string;
    /** The identifier of the last event of the sender; empty by default. */
    lastEventId?: string;
    /** The sender; `null` by default. */
    source?: MessagePort | typeof globalThis | null;
    /** The ports that come with the message; none by default. */
    ports?: Iterable<MessagePort>;
}

/** An event of a message. */
declare class MessageEvent<Data = any> extends Event {
    /** Creates an event. */
    constructor(type: string, options?: MessageEventInit<Data>);
    /** The message. */
    readonly data: Data;
    /** The origin of the sender; empty for a message of a port. */
    readonly origin: string;
    /** The identifier of the last event of the sender; empty for a message of a port. */
    readonly lastEventId: string;
    /** The sender; `null` for a message of a port. */
    readonly source: MessagePort | typeof globalThis | null;
    /** The ports that came with the message. */
    readonly ports: readonly MessagePort[];
    /** @deprecated Use the constructor. */
    initMessageEvent(
        type: string, bubbles?: boolean, cancelable?: boolean, data?: any, origin?: string, lastEventId?: string,
        source?: MessagePort | typeof globalThis | null, ports?: Iterable<MessagePort>,
    ): void;
}

/** One end of a channel. */
declare class MessagePort extends EventTarget {
    private constructor();
    /**
     * Sends a copy of a message, which arrives in a turn of its own. The buffers and ports in the second argument move
     * with it.
     *
     * @throws DOMException `DataCloneError` for a message that cannot be copied.
     */
    postMessage(message: any, transfer: Iterable<ArrayBuffer | MessagePort>): void;
    /** Sends a copy of a message. The buffers and ports in `transfer` move with it. */
    postMessage(message: any, options?: { transfer?: Iterable<ArrayBuffer | MessagePort> }): void;
    /** Begins to deliver messages, as setting `onmessage` does. Adding a listener does not. */
    start(): void;
    /** Ends the channel. Messages that were sent before still arrive. */
    close(): void;
    /** The handler of messages. Setting it calls `start()`. */
    onmessage: ((this: MessagePort, event: MessageEvent) => unknown) | null;
    /** Called when the other port was closed. */
    onclose: ((this: MessagePort, event: Event) => unknown) | null;
    /** The handler of messages that cannot be read. */
    onmessageerror: ((this: MessagePort, event: MessageEvent) => unknown) | null;
    /** Adds a listener of messages. It does not call `start()`. */
    addEventListener(type: "message", callback: EventListenerOrObject<MessageEvent> | null, options?: AddEventListenerOptions | boolean): void;
    /** Adds a listener of another event. */
    addEventListener(type: string, callback: EventListenerOrObject<any> | null, options?: AddEventListenerOptions | boolean): void;
}

/** Two ports that are connected with each other. */
declare class MessageChannel {
    /** Creates two connected ports. */
    constructor();
    /** The first port. */
    readonly port1: MessagePort;
    /** The second port. */
    readonly port2: MessagePort;
}

// ---------------------------------------------------------------- time

/** Options of a mark. */
interface PerformanceMarkOptions {
    /** Data that is copied into the entry. */
    detail?: any;
    /** The time of the mark, by default the present. */
    startTime?: number;
}

/** Options of a measure. */
interface PerformanceMeasureOptions {
    /** Data that is copied into the entry. */
    detail?: any;
    /** A time, or the name of a mark. Two of `start`, `end` and `duration` may be given. */
    start?: string | number;
    /** The end: a time, or the name of a mark. */
    end?: string | number;
    /** The duration in milliseconds. */
    duration?: number;
}

/** The clock of the context, and the entries that scripts record. */
declare class Performance extends EventTarget {
    private constructor();
    /** Returns the milliseconds since `timeOrigin`, in steps of 0.005 ms, or of 0.1 ms for constrained scripts. */
    now(): number;
    /** The start of the context, in milliseconds since 1970. */
    readonly timeOrigin: number;
    /** Returns the members for JSON. */
    toJSON(): { timeOrigin: number };
    /** Records a mark: a time with a name. */
    mark(name: string, options?: PerformanceMarkOptions): PerformanceMark;
    /** Records a measure: the time between two marks or times. The name of a missing mark is a `SyntaxError`. */
    measure(name: string, startOrOptions?: string | PerformanceMeasureOptions, endMark?: string): PerformanceMeasure;
    /** Removes the marks of a name, or all. */
    clearMarks(name?: string): void;
    /** Removes the measures of a name, or all. */
    clearMeasures(name?: string): void;
    /** Returns the entries in the order of their start. */
    getEntries(): PerformanceEntry[];
    /** Returns the entries of a type, `mark` or `measure`, in the order of their start. */
    getEntriesByType(type: string): PerformanceEntry[];
    /** Returns the entries of a name, in the order of their start. */
    getEntriesByName(name: string, type?: string): PerformanceEntry[];
}
/** The clock of the context. */
declare var performance: Performance;

/** A time or a duration that a script recorded. */
declare class PerformanceEntry {
    protected constructor();
    /** The name of the entry. */
    readonly name: string;
    /** The type of the entry: `mark` or `measure`. */
    readonly entryType: string;
    /** The start, in milliseconds since `performance.timeOrigin`. */
    readonly startTime: number;
    /** The duration in milliseconds; 0 for a mark. */
    readonly duration: number;
    /** Returns the members for JSON. */
    toJSON(): any;
}

/** A time with a name. */
declare class PerformanceMark extends PerformanceEntry {
    /** Creates a mark that is not recorded. */
    constructor(name: string, options?: PerformanceMarkOptions);
    /** The data of the mark; `null` if there is none. */
    readonly detail: any;
}

/** A duration with a name. */
declare class PerformanceMeasure extends PerformanceEntry {
    private constructor();
    /** The data of the measure; `null` if there is none. */
    readonly detail: any;
}

/** An observer of new entries, which is called after the code that records them. */
declare class PerformanceObserver {
    /** Creates an observer, which observes nothing yet. */
    constructor(callback: (this: PerformanceObserver, entries: PerformanceObserverEntryList, observer: PerformanceObserver) => void);
    /** The types of entries that can be observed. */
    static readonly supportedEntryTypes: readonly string[];
    /** Begins to observe the types of entries. With `buffered`, entries that were recorded before are included. */
    observe(options: { entryTypes: Iterable<string> } | { type: string; buffered?: boolean }): void;
    /** Ends the observation and drops the entries that were not delivered. */
    disconnect(): void;
    /** Returns the entries that were not delivered, and removes them. */
    takeRecords(): PerformanceEntry[];
}

/** The entries that an observer receives. */
declare class PerformanceObserverEntryList {
    private constructor();
    /** Returns the entries in the order of their start. */
    getEntries(): PerformanceEntry[];
    /** Returns the entries of a type, `mark` or `measure`. */
    getEntriesByType(type: string): PerformanceEntry[];
    /** Returns the entries of a name. */
    getEntriesByName(name: string, type?: string): PerformanceEntry[];
}

// ---------------------------------------------------------------- random values

/** A source of random values. */
declare class Crypto {
    private constructor();
    /**
     * Fills an array of integers with random values and returns it.
     *
     * @throws QuotaExceededError for more than 65,536 bytes.
     * @throws DOMException `TypeMismatchError` for arrays of other numbers.
     */
    getRandomValues<Values extends
        | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array
        | BigInt64Array | BigUint64Array>(array: Values): Values;
    /** Returns a random UUID, of version 4. */
    randomUUID(): string;
}
/** The source of random values of the script. */
declare var crypto: Crypto;

// ---------------------------------------------------------------- URLs

/** A URL, as the URL standard (https://url.spec.whatwg.org) parses it. */
declare class URL {
    /**
     * Parses a URL.
     *
     * @param base The URL to which a relative one refers.
     * @throws TypeError if the URL is invalid.
     */
    constructor(url: string | URL, base?: string | URL);
    /** Returns the URL, or null if it is invalid. */
    static parse(url: string | URL, base?: string | URL): URL | null;
    /** Returns whether a URL is valid. */
    static canParse(url: string | URL, base?: string | URL): boolean;
    /** The whole URL. Setting an invalid one throws a `TypeError`; the other setters ignore invalid values. */
    href: string;
    /** The scheme, the host and the port; `null` as a string for URLs without such an origin. */
    readonly origin: string;
    /** The scheme with its colon. */
    protocol: string;
    /** The name of the user, "" if there is none. */
    username: string;
    /** The password of the user, "" if there is none. */
    password: string;
    /** The host with its port. */
    host: string;
    /** The host without its port. */
    hostname: string;
    /** The port, "" if it is the default one of the scheme. */
    port: string;
    /** The path. */
    pathname: string;
    /** The query with its question mark, "" if it is empty. */
    search: string;
    /** The parameters of the query. Changing them changes `search`, and the other way round. */
    readonly searchParams: URLSearchParams;
    /** The fragment with its number sign, "" if it is empty. */
    hash: string;
    /** Returns the whole URL. */
    toString(): string;
    /** Returns the whole URL. */
    toJSON(): string;
}

/** The names and values of a query, in their order. */
declare class URLSearchParams implements Iterable<[string, string]> {
    /** Creates parameters of a query, of pairs, or of the members of an object. */
    constructor(init?: string | Iterable<Iterable<string>> | { [name: string]: string | number | boolean });
    /** The number of pairs. */
    readonly size: number;
    /** Adds a pair at the end. */
    append(name: string, value: string): void;
    /** Removes all pairs with a name, or those that also have a value. */
    delete(name: string, value?: string): void;
    /** Returns the first value of a name, null without one. */
    get(name: string): string | null;
    /** Returns all values of a name. */
    getAll(name: string): string[];
    /** Returns whether there is a pair with the name, and with the value if one is given. */
    has(name: string, value?: string): boolean;
    /** Replaces all pairs with a name by one. */
    set(name: string, value: string): void;
    /** Sorts the pairs by the code units of their names. Pairs with the same name keep their order. */
    sort(): void;
    /** Returns the pairs as a query, without the question mark. */
    toString(): string;
    /** Returns an iterator of the pairs. */
    entries(): IterableIterator<[string, string]>;
    /** Calls a function for each pair. */
    forEach(callback: (value: string, name: string, params: URLSearchParams) => void, thisArg?: any): void;
    /** Returns an iterator of the names. */
    keys(): IterableIterator<string>;
    /** Returns an iterator of the values. */
    values(): IterableIterator<string>;
    /** Returns an iterator of the pairs. */
    [Symbol.iterator](): IterableIterator<[string, string]>;
}
