/**
 * The script-side API of the bridge to the program that runs the script, and the globals that the runtime adds to the
 * language. The globals `window`, `document` and `fetch` do not exist.
 */

/** Options of a call. */
interface BridgeCallOptions {
    /**
     * The time in milliseconds after which the call fails with `deadlineExceeded`. The other side is notified, so that
     * it can stop as well. `0` and `Infinity` mean no deadline. Without this option the bridge's default applies.
     */
    timeout?: number;
    /**
     * A signal that cancels the call. When it aborts, the promise rejects immediately with the signal's reason. The
     * default reason is a `DOMException` with the name `AbortError`, or `TimeoutError` from `AbortSignal.timeout`. If
     * the signal has already aborted, nothing is sent.
     */
    signal?: AbortSignal | BridgeAbortSignal;
}

/** Options of a call whose handler may report progress. */
interface BridgeProgressOptions extends BridgeCallOptions {
    /** A callback for the progress values of the handler, in order, until the call settles. */
    onProgress?: (value: any) => void;
}

/** Options of a stream. */
interface BridgeStreamOptions extends BridgeCallOptions {
    /**
     * The number of items that the other side may send before they are read: an integer from 1 to 65536. The default is
     * 64.
     */
    window?: number;
}

/**
 * The items that a handler sends as a stream, for `for await`. Leaving the loop or calling {@link BridgeStream.close}
 * notifies the handler: it gets no more credit and is closed.
 */
interface BridgeStream<Item> extends AsyncIterableIterator<Item> {
    /** Returns the next item. If the stream ended with an error, rejects once with that error. */
    next(): Promise<IteratorResult<Item, any>>;
    /** Closes the stream like {@link BridgeStream.close} and resolves to a result that is done, with the value. */
    return(value?: any): Promise<IteratorResult<Item, any>>;
    /** Closes the stream with the error as the reason, and rejects with this error. */
    throw(error?: any): Promise<IteratorResult<Item, any>>;
    /**
     * Closes the stream from this side and drops the items that were received but not read. Closing twice is harmless.
     */
    close(): void;
}

/**
 * A function of the program that a script received as an argument or a result. Each call is a request with the bridge's
 * deadline.
 *
 * It lives as long as it is referenced. `release()` releases it immediately, and so does `using`.
 */
interface BridgeFunction<Arguments extends any[] = any[], Result = any> {
    /** Calls the function. Rejects with the error that it throws, or with `invalidArgument` after its release. */
    (...values: Arguments): Promise<Result>;
    /** Releases the function; releasing twice is harmless. A later call is rejected with `invalidArgument`. */
    release(): void;
}

/** An object of the program that a script received. Its methods are called like a {@link BridgeFunction}. */
type BridgeObject<Methods extends Record<string, (...values: any[]) => any> = Record<string, (...values: any[]) => any>> = {
    readonly [Name in keyof Methods]: (...values: Parameters<Methods[Name]>) => Promise<Awaited<ReturnType<Methods[Name]>>>;
} & {
    /** Releases the object; releasing twice is harmless. */
    release(): void;
};

/** The result of {@link Bridge.reference}: an opaque object that is sent in a payload. */
interface BridgeReference {
    /** The member that distinguishes references for the type checker. No reference has it. */
    readonly __reference?: never;
}

/**
 * The result of a call, which may still be pending. It can be awaited like a promise, or passed in the payload of
 * another call.
 *
 * In a payload, the other side puts the result in its place, which saves a round trip.
 */
interface BridgeResult<Result = any> extends PromiseLike<Result> {
    /** Returns a property of the result, or of one of its properties. */
    get(...path: (string | number)[]): BridgeResult<any>;
    /** Calls the result as a function. */
    call(...values: unknown[]): BridgeResult<any>;
    /** Adds a callback for an error of the call, as `Promise.prototype.catch` does. */
    catch<Other = never>(onError?: ((error: any) => Other | PromiseLike<Other>) | null): Promise<Result | Other>;
    /** Adds a callback for the end of the call, as `Promise.prototype.finally` does. */
    finally(onEnd?: (() => void) | null): Promise<Result>;
}

/** Options of {@link Bridge.callReference}. */
interface BridgeReferenceCallOptions extends BridgeCallOptions {
    /** The name of a method, if the reference is an object. */
    method?: string;
}

/** A handler of the program, or data that the script may use, as {@link Bridge.describe} lists it. */
interface BridgeHandlerDescription {
    /** The name to call. For data, its path, such as `default/airport`. */
    readonly name: string;
    /**
     * The form of the reply: one `value`, or a `stream` for a caller that opens one. A `sync` handler replies with one
     * value, also to callers that block: {@link Bridge.callHandlerSync} in process, and the blocking calls of dialects
     * that have them. An entity of a store or a data source is `data`. A newer program may send other kinds.
     */
    readonly kind: "value" | "stream" | "sync" | "data" | (string & {});
    /** For data: the operations that the script may use. */
    readonly operations?: ("read" | "observe" | "insert" | "update" | "delete" | "schema" | "import" | "export")[];
    /** For an entity: the attributes that the script may use in any operation. */
    readonly attributes?: string[];
    /** For an entity: true if every operation can access all rows. */
    readonly hasAllRows?: boolean;
    /** True if it replies through a callback, possibly late or never. Missing if this is unknown. */
    readonly takesCallback?: boolean;
    /** A summary of its purpose. */
    readonly summary?: string;
    /** The version of the program that introduced it. */
    readonly since?: string;
    /** The reason why it should not be used any more, and its replacement. */
    readonly deprecated?: string;
    /** The JSON Schema of its data; missing if none was declared. */
    readonly request?: any;
    /** The JSON Schema of its reply, or of each item of its stream; missing if none was declared. */
    readonly response?: any;
}

/**
 * The handlers of the program, by name. This interface is empty; the declarations that `jsbridge types` or
 * `Bridge.typeDeclarations` write extend it. Each member has `data`, and `reply` or, for a stream, `item`. A member
 * that can be called synchronously also has `sync`. Once the interface has members, the type checker rejects calls of
 * other names or with other data.
 */
interface BridgeHandlers {}

/** The name of a handler in {@link BridgeHandlers}. */
type BridgeHandlerName = keyof BridgeHandlers & string;
/** The name of a handler that replies once, not with a stream. */
type BridgeValueHandlerName =
    { [Name in BridgeHandlerName]: BridgeHandlers[Name] extends { item: unknown } ? never : Name }[BridgeHandlerName];
/** The name of a handler that can be called synchronously. */
type BridgeSyncHandlerName =
    { [Name in BridgeHandlerName]: BridgeHandlers[Name] extends { sync: true } ? Name : never }[BridgeHandlerName];
/** The name of a handler that replies once and can be called without data. */
type BridgeDatalessHandlerName = {
    [Name in BridgeValueHandlerName]:
        undefined extends BridgeHandlerData<Name> ? Name : null extends BridgeHandlerData<Name> ? Name : never
}[BridgeValueHandlerName];
/**
 * Any name, as long as {@link BridgeHandlers} is empty. Otherwise a name that is known only at run time is called as
 * `name as BridgeOtherName`.
 */
type BridgeOtherName = [BridgeHandlerName] extends [never] ? string : string & { readonly isOther: true };
/** The data of a handler. */
type BridgeHandlerData<Name extends BridgeHandlerName> = BridgeHandlers[Name] extends { data: infer Data } ? Data : any;
/** The reply of a handler, or each item of its stream. */
type BridgeHandlerReply<Name extends BridgeHandlerName> =
    BridgeHandlers[Name] extends { reply: infer Reply } ? Reply
    : BridgeHandlers[Name] extends { item: infer Item } ? Item : any;
/**
 * The data as a call accepts it: any value in it may be replaced by the result of another call ({@link
 * Bridge.pipeline}).
 */
type BridgeSent<Data> =
    | Data
    | BridgeResult
    | (Data extends Date | ArrayBuffer | ArrayBufferView ? never
        : Data extends readonly (infer Item)[] ? BridgeSentList<Item> | BridgeSentSet<Item>
        : Data extends object
            ? { [Key in keyof Data]: BridgeSent<Data[Key]> } | (string extends keyof Data ? BridgeSentMap<Data[keyof Data]> : never)
        : never);
/** A read-only array of such data. It is an interface because arrays can be nested without limit. */
interface BridgeSentList<Item> extends ReadonlyArray<BridgeSent<Item>> {}
/** A set, which is sent as the array of its members. */
interface BridgeSentSet<Item> extends ReadonlySet<BridgeSent<Item>> {}
/** A map with string keys, which is sent as an object. */
interface BridgeSentMap<Item> extends ReadonlyMap<string, BridgeSent<Item>> {}
/** The parameters after the name in a call. The data is optional if `undefined` or `null` is valid data. */
type BridgeHandlerArguments<Name extends BridgeHandlerName, Options extends unknown[]> =
    undefined extends BridgeHandlerData<Name> ? [data?: BridgeSent<BridgeHandlerData<Name>>, ...options: Options]
    : null extends BridgeHandlerData<Name> ? [data?: BridgeSent<BridgeHandlerData<Name>>, ...options: Options]
    : [data: BridgeSent<BridgeHandlerData<Name>>, ...options: Options];

/**
 * The prefixes of a name before each of its dots. The type is tail recursive, as a name may have more dots than types
 * can be nested.
 */
type BridgePrefixes<Name extends string, Before extends string = "", Found extends string = never> =
    Name extends `${infer First}.${infer Rest}`
        ? BridgePrefixes<Rest, `${Before}${First}.`, Found | `${Before}${First}`> : Found;
/** The namespaces of the handlers in {@link BridgeHandlers}. The empty namespace contains all handlers. */
type BridgeNamespace = [BridgeHandlerName] extends [never] ? never : "" | BridgePrefixes<BridgeHandlerName>;
/** The next components, up to a dot, of the names that begin with the prefix. */
type BridgeMethodName<Prefix extends string, Name extends string = BridgeHandlerName> =
    Name extends `${Prefix}${infer Rest}` ? (Rest extends `${infer First}.${string}` ? First : Rest) : never;
/** Handlers as methods, named by the component after the prefix. */
type BridgeMethods<Prefix extends string, Taken> = {
    readonly [Key in Exclude<BridgeMethodName<Prefix>, keyof Object | "then" | "toJSON" | Taken>]: BridgeMethod<`${Prefix}${Key}`>;
};
/** The handlers of a namespace as methods: the result of {@link Bridge.module}. */
type BridgeModule<Namespace extends BridgeNamespace> =
    Namespace extends "" ? BridgeMethods<"", never> : BridgeMethods<`${Namespace}.`, never>;
/** A handler as a method, together with the handlers of a group of the same name. */
type BridgeMethod<Name extends string> =
    & (Name extends BridgeValueHandlerName ? BridgeValueMethod<Name> : unknown)
    & (Name extends BridgeSyncHandlerName ? BridgeSyncMethod<Name> : unknown)
    & (Name extends BridgeHandlerName ? BridgeAnyMethod<Name> : unknown)
    & BridgeMethods<`${Name}.`, keyof Function | keyof BridgeOtherCalls>;
/** A method for a handler that replies once. */
interface BridgeValueMethod<Name extends BridgeValueHandlerName> {
    /** Calls the handler like {@link Bridge.callHandler}. */
    (...rest: BridgeHandlerArguments<Name, [options?: BridgeProgressOptions]>): Promise<BridgeHandlerReply<Name>>;
    /** Calls the handler like {@link Bridge.pipeline}. */
    pipeline(...rest: BridgeHandlerArguments<Name, [options?: BridgeCallOptions]>): BridgeResult<BridgeHandlerReply<Name>>;
}
/** A method for a handler that can be called synchronously. */
interface BridgeSyncMethod<Name extends BridgeSyncHandlerName> {
    /** Calls the handler like {@link Bridge.callHandlerSync}. */
    callHandlerSync(...rest: BridgeHandlerArguments<Name, []>): BridgeHandlerReply<Name>;
}
/** The calls that every handler supports. */
interface BridgeAnyMethod<Name extends BridgeHandlerName> {
    /** Calls the handler like {@link Bridge.notify}. */
    notify(...rest: BridgeHandlerArguments<Name, []>): void;
    /** Calls the handler like {@link Bridge.openStream}. */
    openStream(...rest: BridgeHandlerArguments<Name, [options?: BridgeStreamOptions]>): BridgeStream<BridgeHandlerReply<Name>>;
}
/** The ways to call a handler whose types are unknown. */
interface BridgeOtherCalls {
    /** Calls the handler like {@link Bridge.callHandler}. */
    <Reply = any>(data?: unknown, options?: BridgeProgressOptions): Promise<Reply>;
    /** Calls the handler like {@link Bridge.callHandlerSync}. */
    callHandlerSync<Reply = any>(data?: unknown): Reply;
    /** Calls the handler like {@link Bridge.notify}. */
    notify(data?: unknown): void;
    /** Calls the handler like {@link Bridge.openStream}. */
    openStream<Item = any>(data?: unknown, options?: BridgeStreamOptions): BridgeStream<Item>;
    /** Calls the handler like {@link Bridge.pipeline}. */
    pipeline<Result = any>(data?: unknown, options?: BridgeCallOptions): BridgeResult<Result>;
}
/** Methods of any name, except `then`, which would make the module a promise, and `toJSON`. */
type BridgeOtherModule = { readonly [method: string]: BridgeOtherMethod } & { readonly then?: undefined; readonly toJSON?: undefined };
/** A handler whose types are unknown, together with the handlers of a group of the same name. */
type BridgeOtherMethod = BridgeOtherCalls & BridgeOtherModule;

/** The call that a handler replies to: the third parameter of a handler that declares three. */
interface BridgeCall {
    /** The name that was called. */
    readonly name: string;
    /** A signal that aborts when the caller cancels the call or its deadline passes. A later result is discarded. */
    readonly signal: AbortSignal;
    /** The milliseconds that remain until the caller's deadline; Infinity without a deadline. */
    readonly timeRemaining: number;
    /** The trace of the call, if the caller sent one. Calls that the handler makes belong to the same trace. */
    readonly trace?: BridgeTrace;
    /**
     * Sends a progress value to the caller. Returns false if the caller did not ask for progress or already has its
     * reply.
     */
    progress(value: unknown): boolean;
}

/** A trace, which connects calls that are made for one another on both sides. */
interface BridgeTrace {
    /** The identifier that all calls of one trace share. */
    readonly id: string;
    /** The call that this one was made for; absent for the first call of a trace. */
    readonly parent?: string;
}

/** The members that the bridge needs of a signal of another class than `AbortSignal`. */
interface BridgeAbortSignal {
    /** True if the signal has aborted. */
    readonly aborted: boolean;
    /** The reason with which calls are rejected; without it they get a `BridgeError` with the code `cancelled`. */
    readonly reason?: unknown;
    /** Adds a listener that is called when the signal aborts. */
    addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
    /** Removes the listener. */
    removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * The closed set of error codes of the bridge. A handler may throw an error with a `code` of its own that contains a
 * dot, such as `shop.outOfStock`.
 *
 * - `handlerNotFound`: no handler has the name that was called
 * - `handlerFailed`: the handler threw an error without a code of its own
 * - `invalidArgument`: the call itself was wrong
 * - `invalidMessage`: a message does not have the protocol's form
 * - `encodeFailed`: the payload cannot be encoded, because it contains a cycle
 * - `decodeFailed`: the payload does not have the type that its reader expects
 * - `cancelled`: the caller cancelled the call
 * - `deadlineExceeded`: the call's deadline passed
 * - `disconnected`: the other side is gone
 * - `denied`: the caller has no grant for this
 * - `overloaded`: the other side has more pending work than it accepts
 * - `limitExceeded`: a limit was reached; the message has the value and the limit
 * - `unsupported`: the transport or the other side cannot do this
 * - `wouldDeadlock`: waiting here would never end
 * - `scriptFailed`: a script threw outside a handler
 * - `terminated`: the script was terminated
 * - `internal`: a bug in the bridge
 */
type BridgeErrorCode =
    | "handlerNotFound" | "handlerFailed" | "invalidArgument" | "invalidMessage" | "encodeFailed" | "decodeFailed"
    | "cancelled" | "deadlineExceeded" | "disconnected" | "denied" | "overloaded" | "limitExceeded" | "unsupported"
    | "wouldDeadlock" | "scriptFailed" | "terminated" | "internal";

/** An error of the bridge, from either side. Throw one in a handler to choose the error that its caller receives. */
declare class BridgeError extends Error {
    /**
     * @param code One of the closed set, or a code of your own that contains a dot.
     * @param message A sentence that says what went wrong.
     */
    constructor(code: BridgeErrorCode | `${string}.${string}`, message?: string, options?: { data?: unknown; cause?: unknown });
    /** The error code, for programs. A newer program may send codes that are not in the set. */
    readonly code: BridgeErrorCode | (string & {});
    /** The data that the thrower attached for its caller. */
    readonly data?: any;
    /** The error that caused this one. */
    readonly cause?: unknown;
}

/** The bridge, with promises. Handlers and calls share one table with {@link WebViewJavascriptBridge}. */
interface Bridge {
    /**
     * Registers a handler for calls from the program and replaces a handler that already has the name.
     *
     * The reply is the handler's return value, or the value that its promise resolves to. An error that it throws
     * rejects the caller's call. An async iterator as its result is a stream, for callers that open one. A handler that
     * declares two parameters gets a callback as its second one and replies only through it. A handler that declares
     * three parameters gets the call as its third one and `undefined` as its second. Calls that a handler makes inherit
     * the remaining time of its own caller.
     *
     * @param name Any string that does not begin with `_wvjb.`; those names are reserved.
     * @throws TypeError if the handler is not a function.
     */
    registerHandler<Data = any>(name: string, handler: (data: Data) => unknown): void;
    /** Registers a handler that replies only through its second parameter, a callback. */
    registerHandler<Data = any, Reply = any>(
        name: string,
        handler: (data: Data, responseCallback: (reply?: Reply) => void) => unknown,
    ): void;
    /** Registers a handler whose third parameter is the call, with its signal, its deadline and its progress. */
    registerHandler<Data = any>(
        name: string,
        handler: (data: Data, responseCallback: undefined, call: BridgeCall) => unknown,
    ): void;

    /**
     * Calls a handler of the program.
     *
     * The data is encoded immediately: later changes to it are not sent. The promise settles exactly once: with the
     * reply, with a {@link BridgeError}, or with the reason of the signal. A function in the data crosses by reference.
     */
    callHandler<Name extends BridgeValueHandlerName>(
        name: Name,
        ...rest: BridgeHandlerArguments<Name, [options?: BridgeProgressOptions]>
    ): Promise<BridgeHandlerReply<Name>>;
    /** Calls a handler that {@link BridgeHandlers} does not describe. */
    callHandler<Reply = any>(name: BridgeOtherName, data?: unknown, options?: BridgeProgressOptions): Promise<Reply>;

    /**
     * Calls a synchronous handler of the program and returns its result.
     *
     * The call overtakes messages that were sent before it and are not delivered yet.
     *
     * @throws BridgeError the error that the handler throws; `handlerNotFound`; `wouldDeadlock` if the handler is
     *     asynchronous; `unsupported` if the program is at the other end of a wire; `encodeFailed` or `limitExceeded`
     *     if the data cannot be sent.
     */
    callHandlerSync<Name extends BridgeSyncHandlerName>(
        name: Name,
        ...rest: BridgeHandlerArguments<Name, []>
    ): BridgeHandlerReply<Name>;
    /** Calls a synchronous handler that {@link BridgeHandlers} does not describe. */
    callHandlerSync<Reply = any>(name: BridgeOtherName, data?: unknown): Reply;

    /**
     * Calls a handler of the program without a reply.
     *
     * @throws BridgeError `encodeFailed` or `limitExceeded` if the data cannot be sent.
     */
    notify<Name extends BridgeHandlerName>(name: Name, ...rest: BridgeHandlerArguments<Name, []>): void;
    /** Calls a handler that {@link BridgeHandlers} does not describe, without a reply. */
    notify(name: BridgeOtherName, data?: unknown): void;

    /**
     * Opens a stream of a handler's items. A handler that replies once gives a stream of one item.
     *
     * The other side sends at most `window` items before they are read. The timeout applies only to the opening. The
     * signal applies for the lifetime of the stream.
     *
     * @throws BridgeError if the call cannot be made at all; later errors are thrown where the stream is read.
     */
    openStream<Name extends BridgeHandlerName>(
        name: Name,
        ...rest: BridgeHandlerArguments<Name, [options?: BridgeStreamOptions]>
    ): BridgeStream<BridgeHandlerReply<Name>>;
    /** Opens a stream of a handler that {@link BridgeHandlers} does not describe. */
    openStream<Item = any>(name: BridgeOtherName, data?: unknown, options?: BridgeStreamOptions): BridgeStream<Item>;

    /**
     * Adds a listener for events that the program emits on a topic. Listeners run in the order in which they were
     * added. Adding the same function twice adds one listener. A listener keeps the run from ending.
     */
    on<Event = any>(topic: string, listener: (event: Event) => void): void;
    /** Adds a listener that is removed after its first event. */
    once<Event = any>(topic: string, listener: (event: Event) => void): void;
    /** Removes a listener, or, without one, all listeners that this script has for the topic. */
    off<Event = any>(topic: string, listener?: (event: Event) => void): void;
    /**
     * Emits an event on a topic. Returns false if the program has no listener for it; then the event is neither encoded
     * nor sent. An event on a topic that the grants of this script deny is sent and dropped by the program: the result
     * is true.
     */
    emit(topic: string, event?: unknown): boolean;

    /**
     * Lists the handlers of the program that this script may call, by name.
     *
     * @throws BridgeError `unsupported`, without a request, if the other side has not announced that it supports
     *     discovery; `denied` if this script may not list handlers.
     */
    describe(options?: BridgeCallOptions): Promise<BridgeHandlerDescription[]>;

    /**
     * Calls a handler like `callHandler`. Its result can be passed to other calls while it is pending.
     *
     * ```js
     * const user = bridge.pipeline("user", { id: 7 });
     * const orders = await bridge.callHandler("orders", { owner: user.get("id") });
     * ```
     *
     * If the call fails, the calls that use its result fail with the same error. A script that only passes the result
     * on does not have to catch here. A failed result that is neither awaited nor passed on is an unhandled rejection.
     * A pending result in a payload is `unsupported` if the other side does not announce `pipe`, and in process, where
     * it would save no round trip. Await the result first in these cases.
     */
    pipeline<Name extends BridgeValueHandlerName>(
        name: Name,
        ...rest: BridgeHandlerArguments<Name, [options?: BridgeCallOptions]>
    ): BridgeResult<BridgeHandlerReply<Name>>;
    /** Calls a handler that {@link BridgeHandlers} does not describe. Its result can be passed to other calls. */
    pipeline<Result = any>(name: BridgeOtherName, data?: unknown, options?: BridgeCallOptions): BridgeResult<Result>;

    /**
     * Returns the handlers of a namespace as methods, as the program registers them in groups.
     *
     * ```js
     * const people = bridge.module("people");
     * const ada = await people.find({ id: 7 }, { timeout: 2000 });    // bridge.callHandler("people.find", { id: 7 }, ...)
     * for await (const person of people.all.openStream()) { }         // bridge.openStream("people.all")
     * ```
     *
     * The other ways to call are members of each method, under their usual names: `callHandlerSync`, `notify`,
     * `openStream` and `pipeline`. A group in a group is `people.friends.find()` or
     * `bridge.module("people.friends").find()`. Every name is a method, whether or not a handler exists. The exceptions
     * are `then`, `toJSON` and the members of every object, and in a method also the members of every function. Reading
     * a method again returns the same function. The namespace `""` contains all names.
     *
     * @throws BridgeError `invalidArgument` if the namespace is not a string.
     */
    module<Namespace extends BridgeNamespace>(namespace: Namespace): BridgeModule<Namespace>;
    /** Returns the methods of a namespace that {@link BridgeHandlers} does not describe. */
    module(namespace: BridgeOtherName): BridgeOtherModule;

    /**
     * Marks an object to cross by reference instead of as data. The other side can call the methods that the object and
     * its class have now, and sees nothing else of it. Functions always cross by reference.
     *
     * @throws BridgeError `unsupported` if the marked object is sent to a side that does not support references.
     */
    reference(value: object): BridgeReference;

    /**
     * Calls a function or a method that was received by reference, with the options that an ordinary call cannot pass.
     *
     * @throws BridgeError as `callHandler`; `invalidArgument` after its release; `disconnected` if its side is gone.
     */
    callReference<Result = any>(
        reference: { release(): void },
        values?: unknown[],
        options?: BridgeReferenceCallOptions,
    ): Promise<Result>;

    /** Removes a handler. Calls that it received before are still replied to. Returns whether the handler existed. */
    removeHandler(name: string): boolean;
}

/** The API of WebViewJavascriptBridge, name for name. Its callbacks never receive an error. */
interface WebViewJavascriptBridge {
    /** Registers a handler, which replies once through its callback, now or later. Its return value is ignored. */
    registerHandler<Data = any, Reply = any>(
        name: string,
        handler: (data: Data, responseCallback: (reply?: Reply) => void) => void,
    ): void;

    /**
     * Calls a handler of the program. The callback, if there is one, receives the reply. If the name is
     * followed by a function, that is the callback.
     */
    callHandler<Name extends BridgeDatalessHandlerName>(
        name: Name,
        responseCallback: (reply: BridgeHandlerReply<Name>) => void,
    ): void;
    /** Calls a handler of the program with data. The callback, if there is one, receives the reply. */
    callHandler<Name extends BridgeValueHandlerName>(
        name: Name,
        ...rest: BridgeHandlerArguments<Name, [responseCallback?: (reply: BridgeHandlerReply<Name>) => void]>
    ): void;
    /** Calls a handler that {@link BridgeHandlers} does not describe, without data. */
    callHandler<Reply = any>(name: BridgeOtherName, responseCallback: (reply: Reply) => void): void;
    /** Calls a handler that {@link BridgeHandlers} does not describe. */
    callHandler<Reply = any>(name: BridgeOtherName, data?: unknown, responseCallback?: (reply: Reply) => void): void;

    /** Handles messages as they arrive instead of each in its own turn. This cannot be undone. */
    disableJavscriptAlertBoxSafetyTimeout(): void;

    /**
     * Removes all messages that wait for the program and returns them as a string. For the program, not for scripts.
     */
    _fetchQueue(): string;
    /** Handles a message from the program. For the program, not for scripts. */
    _handleMessageFromObjC(message: string): void;
    /**
     * Handles a message like `_handleMessageFromObjC`, under the name that later bridges use. For the program, not for
     * scripts.
     */
    _handleMessageFromNative(message: string): void;
}

/** The bridge to the program that runs the script. */
declare const bridge: Bridge;
/** The same bridge with the API of WebViewJavascriptBridge. */
declare const WebViewJavascriptBridge: WebViewJavascriptBridge;
/** The functions to call with the bridge once it exists, if this script runs earlier. */
declare var WVJBCallbacks: Array<(bridge: WebViewJavascriptBridge) => void> | undefined;

/** Options of `console.dir`. */
interface BridgeConsoleOptions {
    /** The depth to which objects are shown. */
    depth?: number | null;
    /** True if the output has colors; by default, whether the program's log has them. */
    colors?: boolean;
    /** True if properties that are not enumerable are shown. */
    showHidden?: boolean;
    /** The number of columns above which an object takes several lines. */
    breakLength?: number | null;
    /** The number of elements that are shown of an array, a Map or a Set. */
    maxArrayLength?: number | null;
    /** The number of UTF-16 code units that are shown of a string. */
    maxStringLength?: number | null;
}

/** The console, which writes to the program's log by level. */
interface BridgeConsole {
    /**
     * Writes the values at the level `debug`. A first string may have the format specifiers of the Console Standard.
     */
    debug(...values: unknown[]): void;
    /** Writes the values at the level `log`. */
    log(...values: unknown[]): void;
    /** Writes the values at the level `info`. */
    info(...values: unknown[]): void;
    /** Writes the values at the level `warn`. */
    warn(...values: unknown[]): void;
    /** Writes the values at the level `error`. */
    error(...values: unknown[]): void;
    /** Writes the stack of the caller. */
    trace(...values: unknown[]): void;
    /** Writes the values as an error if the condition is false. */
    assert(condition?: unknown, ...values: unknown[]): void;
    /** Writes rows in columns that are as wide as their widest cell. */
    table(rows: unknown, columns?: string[]): void;
    /** Writes a value as an object. Limits that are `null` do not apply. */
    dir(value: unknown, options?: BridgeConsoleOptions): void;
    /** Writes the values as `log` does. */
    dirxml(...values: unknown[]): void;
    /** Indents the following output. */
    group(...values: unknown[]): void;
    /** Indents the following output, as `group` does. */
    groupCollapsed(...values: unknown[]): void;
    /** Ends the indentation of the last group. */
    groupEnd(): void;
    /** Ends the indentation of all groups. Output that was written stays. */
    clear(): void;
    /** Writes how often it was called with the label, `default` without one. */
    count(label?: string): void;
    /** Sets the count of the label to 0. */
    countReset(label?: string): void;
    /** Starts a timer with the label, `default` without one. */
    time(label?: string): void;
    /** Writes the milliseconds since the timer was started, and the values. */
    timeLog(label?: string, ...values: unknown[]): void;
    /** Writes the milliseconds since the timer was started, and removes it. */
    timeEnd(label?: string): void;
}
/** The console of the script. */
declare const console: BridgeConsole;

/** Calls a function once, in a later turn, after at least the given milliseconds. Returns the timer's id. */
declare function setTimeout<Values extends unknown[]>(callback: (...values: Values) => void, milliseconds?: number, ...values: Values): number;
/** Calls a function repeatedly. Returns the timer's id. */
declare function setInterval<Values extends unknown[]>(callback: (...values: Values) => void, milliseconds?: number, ...values: Values): number;
/** Stops a timer. An unknown id has no effect. */
declare function clearTimeout(id?: number): void;
/** Stops a timer. An unknown id has no effect. */
declare function clearInterval(id?: number): void;
/** Calls a function at the end of this turn, in the order of the promise jobs. */
declare function queueMicrotask(callback: () => void): void;
