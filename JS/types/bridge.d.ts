/**
 * What a script finds in its context: the bridge to the program that runs it, and the few globals that the runtime
 * adds to the language. There is no `window`, no `document` and no `fetch`.
 */

/** How a call is made. */
interface BridgeCallOptions {
    /**
     * After how many milliseconds the call fails with `deadlineExceeded`. The other side is told, so that it can stop
     * as well. `0` and `Infinity` are no deadline; without this option the bridge's own default holds.
     */
    timeout?: number;
    /**
     * Cancels the call: its promise rejects at once with the signal's reason, which without another is a
     * `DOMException` of the name `AbortError`, or `TimeoutError` from `AbortSignal.timeout`. A signal that has aborted
     * before sends nothing.
     */
    signal?: AbortSignal | BridgeAbortSignal;
}

/** How a call is made that may tell how far it has come. */
interface BridgeProgressOptions extends BridgeCallOptions {
    /** Called with what the handler tells while it works, in order, until the call settles. */
    onProgress?: (value: any) => void;
}

/** How a stream is opened. */
interface BridgeStreamOptions extends BridgeCallOptions {
    /** How many items the other side may send ahead of what was read: a whole number from 1 to 65536, 64 unless given. */
    window?: number;
}

/**
 * A handler's answers, one after another: read with `for await`. Leaving the loop, and {@link BridgeStream.close}, tell the
 * handler, which gets no more credit and is closed.
 */
interface BridgeStream<Item> extends AsyncIterableIterator<Item> {
    /** The next item; rejects once with the error that the stream ended with. */
    next(): Promise<IteratorResult<Item, any>>;
    return(value?: any): Promise<IteratorResult<Item, any>>;
    throw(error?: any): Promise<IteratorResult<Item, any>>;
    /** Ends it from this side; what was read ahead is dropped. Harmless when done twice. */
    close(): void;
}

/**
 * A function of the program that a script has, as an argument or a result: each call is a request, with the bridge's deadline.
 *
 * It lives as long as somebody has it; `release()` lets it go at once, and so does `using`.
 */
interface BridgeFunction<Arguments extends any[] = any[], Result = any> {
    (...values: Arguments): Promise<Result>;
    /** Lets it go; harmless when done twice. A call after that is rejected with `invalidArgument`. */
    release(): void;
}

/** An object of the program that a script has: its methods are called as those of a {@link BridgeFunction}. */
type BridgeObject<Methods extends Record<string, (...values: any[]) => any> = Record<string, (...values: any[]) => any>> = {
    readonly [Name in keyof Methods]: (...values: Parameters<Methods[Name]>) => Promise<Awaited<ReturnType<Methods[Name]>>>;
} & {
    /** Lets it go; harmless when done twice. */
    release(): void;
};

/** What {@link Bridge.reference} makes: it crosses in a payload, and is nothing to a script. */
interface BridgeReference {
    readonly __reference?: never;
}

/**
 * The result of a call that may not have come yet: awaited as a promise, or sent on as it is, in the payload of another call.
 *
 * Then the other side puts the result in its place, and nothing waits for a way there and back.
 */
interface BridgeResult<Result = any> extends PromiseLike<Result> {
    /** A member of the result, or of one of its members. */
    get(...path: (string | number)[]): BridgeResult<any>;
    /** Calls the function that the result is. */
    call(...values: unknown[]): BridgeResult<any>;
    catch<Other = never>(onError?: ((error: any) => Other | PromiseLike<Other>) | null): Promise<Result | Other>;
    finally(onEnd?: (() => void) | null): Promise<Result>;
}

interface BridgeReferenceCallOptions extends BridgeCallOptions {
    /** The method of an object. */
    method?: string;
}

/** A handler of the program, or data that the script may reach, as {@link Bridge.describe} lists it. */
interface BridgeHandlerDescription {
    /** The name to call; of data its place, such as `default/airport`. */
    readonly name: string;
    /**
     * How it answers: with one `value`, with a `stream` to whoever opens one, or with one value also to callers that wait
     * without letting others run (`sync`: {@link Bridge.callHandlerSync} in process, the waiting calls of a dialect that has
     * some). What is no handler but data of a store, or a data source, is `data`. A newer program may have more.
     */
    readonly kind: "value" | "stream" | "sync" | "data" | (string & {});
    /** Of data: what the script may do with it. */
    readonly operations?: ("read" | "observe" | "insert" | "update" | "delete" | "schema" | "import" | "export")[];
    /** Of an entity: the attributes that the script may reach by any operation. */
    readonly attributes?: string[];
    /** Of an entity: whether every operation reaches all rows. */
    readonly hasAllRows?: boolean;
    /** Whether it replies through a callback, and may do so late, or never; missing where that is not known. */
    readonly takesCallback?: boolean;
    /** What it does. */
    readonly summary?: string;
    /** The version of the program that had it first. */
    readonly since?: string;
    /** Why it should not be used any more, and what to use instead. */
    readonly deprecated?: string;
    /** What it takes, as JSON Schema; missing where nobody said. */
    readonly request?: any;
    /** What it answers, or each item of its stream, as JSON Schema; missing where nobody said. */
    readonly response?: any;
}

/**
 * The handlers of the program, by name: empty here, and filled by the declarations that `jsbridge types` or
 * `Bridge.typeDeclarations` write. Each has `data`, and `reply` or, for a stream, `item`; one that
 * can be called synchronously also `sync`. Once it is filled, a call of
 * what is not in it, or with other data, is an error of the type checker.
 */
interface BridgeHandlers {}

/** The name of a handler that is in {@link BridgeHandlers}. */
type BridgeHandlerName = keyof BridgeHandlers & string;
/** The name of one that answers once, and not with a stream. */
type BridgeValueHandlerName =
    { [Name in BridgeHandlerName]: BridgeHandlers[Name] extends { item: unknown } ? never : Name }[BridgeHandlerName];
/** The name of one that answers at once. */
type BridgeSyncHandlerName =
    { [Name in BridgeHandlerName]: BridgeHandlers[Name] extends { sync: true } ? Name : never }[BridgeHandlerName];
/** The name of one that answers once, and takes nothing as well. */
type BridgeDatalessHandlerName = {
    [Name in BridgeValueHandlerName]:
        undefined extends BridgeHandlerData<Name> ? Name : null extends BridgeHandlerData<Name> ? Name : never
}[BridgeValueHandlerName];
/**
 * Any name, as long as nothing is known of the program's handlers. Where that is, a name that is known only at run time is
 * called `name as BridgeOtherName`.
 */
type BridgeOtherName = [BridgeHandlerName] extends [never] ? string : string & { readonly isOther: true };
/** What a handler gets. */
type BridgeHandlerData<Name extends BridgeHandlerName> = BridgeHandlers[Name] extends { data: infer Data } ? Data : any;
/** What a handler answers, or each item of its stream. */
type BridgeHandlerReply<Name extends BridgeHandlerName> =
    BridgeHandlers[Name] extends { reply: infer Reply } ? Reply
    : BridgeHandlers[Name] extends { item: infer Item } ? Item : any;
/** Data as a call takes it: in the place of anything in it may be the result of another call ({@link Bridge.pipeline}). */
type BridgeSent<Data> =
    | Data
    | BridgeResult
    | (Data extends Date | ArrayBuffer | ArrayBufferView ? never
        : Data extends readonly (infer Item)[] ? BridgeSentList<Item> | BridgeSentSet<Item>
        : Data extends object
            ? { [Key in keyof Data]: BridgeSent<Data[Key]> } | (string extends keyof Data ? BridgeSentMap<Data[keyof Data]> : never)
        : never);
/** A list of such data, which nobody has to be able to write to: an interface, as lists of lists have no end. */
interface BridgeSentList<Item> extends ReadonlyArray<BridgeSent<Item>> {}
/** A set, which is sent as the list of its members. */
interface BridgeSentSet<Item> extends ReadonlySet<BridgeSent<Item>> {}
/** A map, which is sent as an object: its keys are texts. */
interface BridgeSentMap<Item> extends ReadonlyMap<string, BridgeSent<Item>> {}
/** What follows the name in a call: data may be left out where nothing will do for it. */
type BridgeHandlerArguments<Name extends BridgeHandlerName, Options extends unknown[]> =
    undefined extends BridgeHandlerData<Name> ? [data?: BridgeSent<BridgeHandlerData<Name>>, ...options: Options]
    : null extends BridgeHandlerData<Name> ? [data?: BridgeSent<BridgeHandlerData<Name>>, ...options: Options]
    : [data: BridgeSent<BridgeHandlerData<Name>>, ...options: Options];

/** What a name has in front of each of its dots: step by step, as a name may have more dots than types can be nested. */
type BridgePrefixes<Name extends string, Before extends string = "", Found extends string = never> =
    Name extends `${infer First}.${infer Rest}`
        ? BridgePrefixes<Rest, `${Before}${First}.`, Found | `${Before}${First}`> : Found;
/** The namespaces of the handlers that are in {@link BridgeHandlers}; the empty one is that of all. */
type BridgeNamespace = [BridgeHandlerName] extends [never] ? never : "" | BridgePrefixes<BridgeHandlerName>;
/** What the names that begin so have next, up to a dot. */
type BridgeMethodName<Prefix extends string, Name extends string = BridgeHandlerName> =
    Name extends `${Prefix}${infer Rest}` ? (Rest extends `${infer First}.${string}` ? First : Rest) : never;
/** Handlers as methods, by what follows the prefix in their names. */
type BridgeMethods<Prefix extends string, Taken> = {
    readonly [Key in Exclude<BridgeMethodName<Prefix>, keyof Object | "then" | "toJSON" | Taken>]: BridgeMethod<`${Prefix}${Key}`>;
};
/** The handlers of a namespace as methods: what {@link Bridge.module} gives. */
type BridgeModule<Namespace extends BridgeNamespace> =
    Namespace extends "" ? BridgeMethods<"", never> : BridgeMethods<`${Namespace}.`, never>;
/** A handler as a method, and the handlers of a group that has the same name. */
type BridgeMethod<Name extends string> =
    & (Name extends BridgeValueHandlerName ? BridgeValueMethod<Name> : unknown)
    & (Name extends BridgeSyncHandlerName ? BridgeSyncMethod<Name> : unknown)
    & (Name extends BridgeHandlerName ? BridgeAnyMethod<Name> : unknown)
    & BridgeMethods<`${Name}.`, keyof Function | keyof BridgeOtherCalls>;
/** One that answers once. */
interface BridgeValueMethod<Name extends BridgeValueHandlerName> {
    /** Calls the handler, as {@link Bridge.callHandler}. */
    (...rest: BridgeHandlerArguments<Name, [options?: BridgeProgressOptions]>): Promise<BridgeHandlerReply<Name>>;
    /** Calls it as {@link Bridge.pipeline}. */
    pipeline(...rest: BridgeHandlerArguments<Name, [options?: BridgeCallOptions]>): BridgeResult<BridgeHandlerReply<Name>>;
}
/** One that answers at once. */
interface BridgeSyncMethod<Name extends BridgeSyncHandlerName> {
    /** Calls it as {@link Bridge.callHandlerSync}. */
    callHandlerSync(...rest: BridgeHandlerArguments<Name, []>): BridgeHandlerReply<Name>;
}
/** Any. */
interface BridgeAnyMethod<Name extends BridgeHandlerName> {
    /** Calls it as {@link Bridge.notify}. */
    notify(...rest: BridgeHandlerArguments<Name, []>): void;
    /** Calls it as {@link Bridge.openStream}. */
    openStream(...rest: BridgeHandlerArguments<Name, [options?: BridgeStreamOptions]>): BridgeStream<BridgeHandlerReply<Name>>;
}
/** The ways to call a handler of which nothing is known. */
interface BridgeOtherCalls {
    <Reply = any>(data?: unknown, options?: BridgeProgressOptions): Promise<Reply>;
    callHandlerSync<Reply = any>(data?: unknown): Reply;
    notify(data?: unknown): void;
    openStream<Item = any>(data?: unknown, options?: BridgeStreamOptions): BridgeStream<Item>;
    pipeline<Result = any>(data?: unknown, options?: BridgeCallOptions): BridgeResult<Result>;
}
/** Methods of any name, but not those that would make a promise of their module. */
type BridgeOtherModule = { readonly [method: string]: BridgeOtherMethod } & { readonly then?: undefined; readonly toJSON?: undefined };
/** A handler of which nothing is known, and those of a group that has the same name. */
type BridgeOtherMethod = BridgeOtherCalls & BridgeOtherModule;

/** The call that a handler answers: its third parameter, for a function that declares three. */
interface BridgeCall {
    /** The name that was called. */
    readonly name: string;
    /** Aborts when the caller gave up, or has no more time. What is returned after that goes nowhere. */
    readonly signal: AbortSignal;
    /** How many milliseconds the caller will still wait; Infinity without a deadline. */
    readonly timeRemaining: number;
    /** The calls that it belongs to, if its caller said so; calls that the handler makes belong to them too. */
    readonly trace?: BridgeTrace;
    /** Tells the caller how far it has come. False if the caller did not ask for it, or has its answer. */
    progress(value: unknown): boolean;
}

/** What joins the calls that are made for one another, on both sides. */
interface BridgeTrace {
    /** What all calls of one trace share. */
    readonly id: string;
    /** The call that this one was made for; absent for the first of a trace. */
    readonly parent?: string;
}

/** What the bridge needs of a signal of another class than `AbortSignal`. */
interface BridgeAbortSignal {
    readonly aborted: boolean;
    readonly reason?: unknown;
    addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
    removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * The closed set of codes. A handler may throw an error whose `code` is its own, with a dot in it, as `shop.outOfStock`.
 *
 * - `handlerNotFound`: no handler has the name that was called
 * - `handlerFailed`: the handler threw an error without a code of its own
 * - `invalidArgument`: the call itself was wrong
 * - `invalidMessage`: a message is not of the protocol's form
 * - `encodeFailed`: the payload cannot be put into a message, as it holds a cycle
 * - `decodeFailed`: the payload is not what its reader asked for
 * - `cancelled`: the caller gave up
 * - `deadlineExceeded`: the call's time was over
 * - `disconnected`: the other side is gone
 * - `denied`: the caller has no grant for this
 * - `overloaded`: the other side has more to do than it takes
 * - `limitExceeded`: a limit was reached; the message has both numbers
 * - `unsupported`: the transport or the other side cannot do this
 * - `wouldDeadlock`: waiting here would never end
 * - `scriptFailed`: a script threw outside a handler
 * - `terminated`: the script was stopped
 * - `internal`: a mistake in the bridge
 */
type BridgeErrorCode =
    | "handlerNotFound" | "handlerFailed" | "invalidArgument" | "invalidMessage" | "encodeFailed" | "decodeFailed"
    | "cancelled" | "deadlineExceeded" | "disconnected" | "denied" | "overloaded" | "limitExceeded" | "unsupported"
    | "wouldDeadlock" | "scriptFailed" | "terminated" | "internal";

/** An error of the bridge, from either side: throw one in a handler to choose what its caller sees. */
declare class BridgeError extends Error {
    /**
     * @param code One of the closed set, or your own with a dot.
     * @param message What went wrong, in a sentence.
     */
    constructor(code: BridgeErrorCode | `${string}.${string}`, message?: string, options?: { data?: unknown; cause?: unknown });
    /** What went wrong, for programs. A newer program may send codes that are not in the set. */
    readonly code: BridgeErrorCode | (string & {});
    /** What the thrower wants its caller to have. */
    readonly data?: any;
    /** The error that led to this one. */
    readonly cause?: unknown;
}

/** The bridge, with promises. Handlers and calls share one table with {@link WebViewJavascriptBridge}. */
interface Bridge {
    /**
     * Registers a handler for calls from the program; one that has the name already is replaced.
     *
     * What it returns, or what its promise is fulfilled with, is the reply; what it throws is the caller's error. An
     * async iterator as its answer is a stream, to callers that open one. A function that declares two parameters gets
     * a callback as its second and replies by that alone; one that declares three gets the call as its third, and
     * `undefined` as its second. Calls that a handler makes have no more time than its own caller has left.
     *
     * @param name Any text, except that names beginning with `_wvjb.` are reserved.
     * @throws TypeError if the handler is no function.
     */
    registerHandler<Data = any>(name: string, handler: (data: Data) => unknown): void;
    registerHandler<Data = any, Reply = any>(
        name: string,
        handler: (data: Data, responseCallback: (reply?: Reply) => void) => unknown,
    ): void;
    registerHandler<Data = any>(
        name: string,
        handler: (data: Data, responseCallback: undefined, call: BridgeCall) => unknown,
    ): void;

    /**
     * Calls a handler of the program.
     *
     * The data is taken at once: what changes in it later is not sent. The promise settles exactly once: with the
     * reply, with a {@link BridgeError}, or with the reason of the signal. A function in the data crosses by reference.
     */
    callHandler<Name extends BridgeValueHandlerName>(
        name: Name,
        ...rest: BridgeHandlerArguments<Name, [options?: BridgeProgressOptions]>
    ): Promise<BridgeHandlerReply<Name>>;
    callHandler<Reply = any>(name: BridgeOtherName, data?: unknown, options?: BridgeProgressOptions): Promise<Reply>;

    /**
     * Calls a synchronous handler of the program and gives its result at once.
     *
     * The call overtakes messages that were sent before and are not delivered yet.
     *
     * @throws BridgeError what the handler throws; `handlerNotFound`; `wouldDeadlock` for a handler that is asynchronous;
     * `unsupported` where the program is at the other end of a wire; `encodeFailed` or `limitExceeded` if the data cannot
     * be sent.
     */
    callHandlerSync<Name extends BridgeSyncHandlerName>(
        name: Name,
        ...rest: BridgeHandlerArguments<Name, []>
    ): BridgeHandlerReply<Name>;
    callHandlerSync<Reply = any>(name: BridgeOtherName, data?: unknown): Reply;

    /**
     * Calls a handler of the program and asks for no reply.
     *
     * @throws BridgeError `encodeFailed` or `limitExceeded` if the data cannot be sent.
     */
    notify<Name extends BridgeHandlerName>(name: Name, ...rest: BridgeHandlerArguments<Name, []>): void;
    notify(name: BridgeOtherName, data?: unknown): void;

    /**
     * Opens a stream of a handler's answers. A handler that answers once gives a stream of one item.
     *
     * The other side sends no more than `window` items ahead of what is read. The timeout is for the opening alone, the
     * signal for as long as the stream goes on.
     *
     * @throws BridgeError if the call cannot be made at all; what goes wrong later is thrown where the stream is read.
     */
    openStream<Name extends BridgeHandlerName>(
        name: Name,
        ...rest: BridgeHandlerArguments<Name, [options?: BridgeStreamOptions]>
    ): BridgeStream<BridgeHandlerReply<Name>>;
    openStream<Item = any>(name: BridgeOtherName, data?: unknown, options?: BridgeStreamOptions): BridgeStream<Item>;

    /**
     * Listens to what the program tells about a topic. Listeners run in the order in which they were added; the same
     * function twice is one listener. While there is one, the run goes on.
     */
    on<Event = any>(topic: string, listener: (event: Event) => void): void;
    /** Listens until the first event. */
    once<Event = any>(topic: string, listener: (event: Event) => void): void;
    /** Stops a listener, or without one all of this script's listeners of the topic. */
    off<Event = any>(topic: string, listener?: (event: Event) => void): void;
    /** Tells the program about a topic. False if nobody there listens; then nothing is taken or sent. */
    emit(topic: string, event?: unknown): boolean;

    /**
     * Lists the handlers of the program that this script may call, by name.
     *
     * @throws BridgeError `unsupported`, at once, if the other side has not shown that it could tell; `denied` if this
     *     script may not ask.
     */
    describe(options?: BridgeCallOptions): Promise<BridgeHandlerDescription[]>;

    /**
     * Calls a handler as `callHandler` does; its result can be given to further calls before it has come.
     *
     * ```js
     * const user = bridge.pipeline("user", { id: 7 });
     * const orders = await bridge.callHandler("orders", { owner: user.get("id") });
     * ```
     *
     * If it fails, so do these, with the same error: who only passes it on has nothing to catch here, and one that nobody waits for or passes on is
     * an unhandled rejection. To a side that does not take it (`pipe`), and in process, where no way is
     * saved, a result that has not come yet is `unsupported` in a payload: await it first.
     */
    pipeline<Name extends BridgeValueHandlerName>(
        name: Name,
        ...rest: BridgeHandlerArguments<Name, [options?: BridgeCallOptions]>
    ): BridgeResult<BridgeHandlerReply<Name>>;
    pipeline<Result = any>(name: BridgeOtherName, data?: unknown, options?: BridgeCallOptions): BridgeResult<Result>;

    /**
     * The handlers of a namespace as methods, as the program registers them in groups.
     *
     * ```js
     * const people = bridge.module("people");
     * const ada = await people.find({ id: 7 }, { timeout: 2000 });    // bridge.callHandler("people.find", { id: 7 }, ...)
     * for await (const person of people.all.openStream()) { }         // bridge.openStream("people.all")
     * ```
     *
     * The other ways to call have the names that they have here: `callHandlerSync`, `notify`, `openStream` and `pipeline`
     * of a method. A group in a group is `people.friends.find()` or `bridge.module("people.friends").find()`. Every name is a
     * method, whether there is a handler or not, except `then`, `toJSON` and what every object has; in a method also
     * what every function has. A method is the same function each time. The namespace `""` is that of all names.
     *
     * @throws BridgeError `invalidArgument` if the namespace is no text.
     */
    module<Namespace extends BridgeNamespace>(namespace: Namespace): BridgeModule<Namespace>;
    module(namespace: BridgeOtherName): BridgeOtherModule;

    /**
     * Marks an object to cross by reference and not as data: the other side calls its methods, those that it has now and
     * that its class has, and sees nothing else of it. Functions cross so by themselves.
     *
     * @throws BridgeError `unsupported` where it is sent to a side that takes no references.
     */
    reference(value: object): BridgeReference;

    /**
     * Calls a function or a method that came by reference, with options that an ordinary call of it has no place for.
     *
     * @throws BridgeError as `callHandler`; `invalidArgument` after its release; `disconnected` where its side is gone.
     */
    callReference<Result = any>(
        reference: { release(): void },
        values?: unknown[],
        options?: BridgeReferenceCallOptions,
    ): Promise<Result>;

    /** Removes a handler; what it was asked before is still answered. Tells whether there was one. */
    removeHandler(name: string): boolean;
}

/** The ancestor's object, name for name. Its callbacks never see an error. */
interface WebViewJavascriptBridge {
    /** Registers a handler, which replies by its callback, now or later, once. What it returns is not looked at. */
    registerHandler<Data = any, Reply = any>(
        name: string,
        handler: (data: Data, responseCallback: (reply?: Reply) => void) => void,
    ): void;

    /**
     * Calls a handler of the program. The callback, if there is one, is called with its reply; a function alone is the
     * callback.
     */
    callHandler<Name extends BridgeDatalessHandlerName>(
        name: Name,
        responseCallback: (reply: BridgeHandlerReply<Name>) => void,
    ): void;
    callHandler<Name extends BridgeValueHandlerName>(
        name: Name,
        ...rest: BridgeHandlerArguments<Name, [responseCallback?: (reply: BridgeHandlerReply<Name>) => void]>
    ): void;
    callHandler<Reply = any>(name: BridgeOtherName, responseCallback: (reply: Reply) => void): void;
    callHandler<Reply = any>(name: BridgeOtherName, data?: unknown, responseCallback?: (reply: Reply) => void): void;

    /** Handles messages as they come, instead of each in a turn of its own. There is no way back. */
    disableJavscriptAlertBoxSafetyTimeout(): void;

    /** The text of all messages that wait for the program, which are then gone. For the program, not for scripts. */
    _fetchQueue(): string;
    /** Takes a message from the program. For the program, not for scripts. */
    _handleMessageFromObjC(message: string): void;
    /** The same by the name that later bridges use. */
    _handleMessageFromNative(message: string): void;
}

declare const bridge: Bridge;
declare const WebViewJavascriptBridge: WebViewJavascriptBridge;
/** What is to be called with the bridge as soon as it is there, if this script runs before it is. */
declare var WVJBCallbacks: Array<(bridge: WebViewJavascriptBridge) => void> | undefined;

/** Writes to the program's log, by level. */
interface BridgeConsole {
    debug(...values: unknown[]): void;
    log(...values: unknown[]): void;
    info(...values: unknown[]): void;
    warn(...values: unknown[]): void;
    error(...values: unknown[]): void;
    /** Writes where it was called from. */
    trace(...values: unknown[]): void;
    /** Writes the values as an error if the condition is false. */
    assert(condition?: unknown, ...values: unknown[]): void;
    /** Writes rows in columns that are as wide as their widest cell. */
    table(rows: unknown, columns?: string[]): void;
    dir(value: unknown): void;
    /** Indents what follows. */
    group(...values: unknown[]): void;
    groupCollapsed(...values: unknown[]): void;
    groupEnd(): void;
    count(label?: string): void;
    countReset(label?: string): void;
    time(label?: string): void;
    timeLog(label?: string, ...values: unknown[]): void;
    timeEnd(label?: string): void;
}
declare const console: BridgeConsole;

/** Calls a function once, in a later turn, at least so many milliseconds from now. Gives the id to stop it by. */
declare function setTimeout<Values extends unknown[]>(callback: (...values: Values) => void, milliseconds?: number, ...values: Values): number;
/** Calls a function again and again. */
declare function setInterval<Values extends unknown[]>(callback: (...values: Values) => void, milliseconds?: number, ...values: Values): number;
/** Stops a timer. An unknown id changes nothing. */
declare function clearTimeout(id?: number): void;
/** Stops a timer. An unknown id changes nothing. */
declare function clearInterval(id?: number): void;
/** Calls a function at the end of this turn, among the promise jobs. */
declare function queueMicrotask(callback: () => void): void;
