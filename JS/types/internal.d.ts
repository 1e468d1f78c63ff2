// The interface between the files of JS/src, and between them and the host. No script can reach it.

interface BridgeErrorRecord {
    code: string;
    msg: string;
    data?: unknown;
    stack?: string;
    cause?: BridgeErrorRecord;
}

interface AsyncOrigin {
    label: string;
    site: Error;
    parent: AsyncOrigin | null;
    depth: number;
}

type BridgeLogLevel = "debug" | "log" | "warn" | "error";

interface BridgeInternal {
    primordials: any;
    /** Describes any thrown value as a string for people. */
    thrownText(thrown: unknown): string;
    describeInto(thrown: unknown, consume: ((...parts: unknown[]) => unknown) | undefined): unknown;
    /** Writes a warning to the host's log, in process. */
    warnHost?(text: string): void;
    /** The name of the handler whose failures the host receives as they were thrown. */
    watchedHandler?: string;

    // Set by the host before 10_bridge.js runs.
    readonly mode: "direct" | "text";
    readonly epoch: string;
    readonly defaultTimeout: number;
    /** Sends a request. If `call` is cancelled while its data is encoded, nothing is sent. */
    sendRequest(
        name: string, data: unknown, callbackId: string | undefined, ttl: number, accepts: 0 | 1,
        call?: { readonly isCancelled: boolean },
    ): void;
    /** Sends a response. `handle` is the host's error from which the record in `data` was made, if any. */
    sendResponse(
        responseId: unknown, name: string, ok: boolean, data: unknown, handle?: unknown, accepts?: number,
    ): void;
    /** Calls a handler synchronously. `finish` receives the result, or the record of an error. Direct only. */
    sendSynchronous(name: string, data: unknown, finish: (ok: boolean, result: unknown) => void): void;
    /** Returns the host's error of the last synchronous request and clears it. */
    takeSynchronousError(): unknown;
    /** Sends a stream as the response to a call. */
    sendStream(responseId: unknown, stream: unknown): void;
    /** Sends a control message, which is neither a call nor a reply; `kind` is one of the numbers in 11_sending.js. */
    sendControl(kind: number, id: unknown, number: number, data: unknown): void;
    signal(): void;
    /**
     * The capabilities of the other side that are known from the start, as the bits of `bridge.accepts`: both sides are
     * ours.
     */
    peerAccepts?: number;
    /** The encoding of bytes for a side that does not support them. */
    binaryPolicy?: "base64" | "numbers" | "fail";
    /** True if calls begin a trace. */
    tracesCalls?: boolean;
    /** Sends the trace of the request that follows; direct, while calls are traced. */
    postTrace?(id: string, parent: string | undefined): void;
    /** The dialect of the text wire (`BridgeDialect.record`); by default that of WebViewJavascriptBridge 6. */
    dialect?: any;
    /** Loads a URL in a frame, for dialects in which the queue is returned in a URL. */
    load(url: string): void;
    /** Sends one message immediately, for dialects whose native side does not fetch a queue. */
    post(text: string): void;
    /** Sends a prompt and blocks until its reply; returns the reply's JSON, or null. */
    prompt(text: string): string | null;
    /** Calls a method in the form of DSBridge and returns its reply as a string. */
    callMethod(name: string, text: string): string;
    /** Delivers the JSON text of a list of messages, from a page that sends it without a fetch. */
    arrive(text: string): void;
    /** Notifies the host that the page requests the script's side, or that it is listening. */
    bridgeLoaded(): void;
    /** Replies to a blocking call: the JSON of the payload, or the reason of its failure. */
    answer(text: string): { payload?: string; failure?: string };
    /** Returns whether Swift has a handler of the name, of the kind `all`, `syn` or `asyn`. */
    hasNativeHandler(name: string, kind: string): boolean;
    hasPeer(): boolean;
    /**
     * Publishes a page on top of the host's functions, and returns the functions that build and end it (09_page.js).
     */
    makePage?(host: any): any;
    page?: any;
    /** Records the first use of the script's side that a page brings. */
    awaitPeer?(): void;
    /** Returns whether calls of this side reach the handlers of a page that brings its own script's side. */
    isPageReady?(): boolean;
    /** True if messages wait until a script has used the bridge, which `noteUse` reports. */
    awaitsUse?: boolean;
    noteUse?(): void;
    /** Notifies the page of an uncaught error; returns true if the page has handled it. Undefined without a page. */
    tellPage?: (error: unknown) => boolean;
    /** The source of time and random numbers for a context that is recorded or replayed (09_recording.js). */
    readonly recording?: any;
    /** True if the context is recorded or replayed. Then no behavior may depend on the garbage collector. */
    isRecorded?: boolean;
    /** The engine's functions: `call` calls a closure of the host. */
    native?: { call(target: unknown, ...values: unknown[]): unknown; noteFailure?(...parts: unknown[]): unknown };
    /** Empties the queue, and handles a message: the text transport's own access to what the page's entry does too. */
    takeQueue?(): string | undefined;
    takeMessage?(text: string): void;
    /** Sends an item of a stream whose consumer decodes it as a Swift type. */
    sendItem?(stream: unknown, number: number, data: unknown, accepted: number): void;
    /** Notifies the transport in process that the functions that receive messages exist. */
    connectTransport?(): void;
    /** The number of functions and objects that one side may hold of the other, in each direction. */
    readonly maximumReferences?: number;
    /**
     * The number of UTF-16 code units that a message may have, and of values that a payload may have; unlimited if
     * missing.
     */
    readonly maximumMessageLength?: number;
    readonly maximumNodes?: number;
    readonly maximumPayloadBytes?: number;
    /**
     * Creates an object that calls `finalizeReference` after the collector has collected it. Without this function, a
     * `FinalizationRegistry` is used.
     */
    makeNet?(number: number): unknown;
    /** Returns the number of references that the host has taken from the payload that was passed last; direct. */
    takenReferences?(): number;
    /**
     * Exports a reference. In process one string describes a reference: `f`, `o` or `y` for its kind, its id, and NUL
     * and a name for each method.
     */
    exportReference(value: unknown): string;
    takeBackReference(note: string): void;
    importReference(note: string, methods: string): unknown;
    /** Returns whether a value that is not a function crosses by reference. */
    isReferred(value: object): boolean;
    /**
     * Returns the number of results that are retained for requests, plus the number of requests that wait for them.
     */
    keptCount(): number;
    /** Returns the call and the key path of a result of `bridge.pipeline`; undefined for other values. */
    resultOf(value: object): any;
    settledValue(result: any): unknown;
    finalizeReference(number: number): void;
    referenceCounts(): { exported: number; held: number };
    /** Delivers a message to the page's entry. */
    deliver(text: string): void;
    setTimer(callback: () => void, milliseconds: number): unknown;
    clearTimer(id: unknown): void;
    log(level: BridgeLogLevel, text: string): void;
    reportError(error: unknown): void;
    now(): number;
    /** Sets a timer of any length that does not keep a run from ending. */
    setUnreferencedTimer(callback: () => void, milliseconds: number): unknown;
    /** Returns the milliseconds since the context was created. */
    eventTime(): number;
    /** The number of bytes that a buffer may have; above every length without a limit. */
    readonly maximumTypedArrayBytes?: number;
    /** The functions that 06_events.js and 08_abort.js share with the files after them. */
    events: any;

    // From 02_errors.js: the asynchronous origin of the running code.
    readonly maximumCauses: number;
    capturesAsyncStacks: boolean;
    /** Records the current origin for code that will run later; returns null if this is switched off. */
    noteOrigin(label: string, hasStack?: boolean): AsyncOrigin | null;
    /** Enters a recorded origin and returns the one before it. */
    enterOrigin(note: AsyncOrigin | null): AsyncOrigin | null;
    /** Records the host's error from which an error was made, and appends its origin to its stack. */
    adoptError<T extends object>(error: T, handle?: unknown, label?: string, note?: AsyncOrigin | null): T;
    originOf(thrown: unknown, stack?: unknown): { handle: unknown; stack: unknown } | undefined;
    withTrail(stack: unknown): unknown;

    /** Enters a deadline of the host for the code that runs, on the clock of `eventTime`. */
    enterDeadline(time: number): any;
    /** Returns the deadline of the call for which this code runs, on the clock of `eventTime`; Infinity without one. */
    inheritedDeadline(): number;

    /** Enters a trace for the code that runs. */
    enterTrace(trace: BridgeTrace): void;
    /** Returns the trace of the running code. */
    currentTrace(): BridgeTrace | undefined;

    /** The object that the parts of the bridge (10 to 18) share. */
    bridge: any;
    /** Counts the topics that a script listens to. They keep the host running. */
    listening?(change: 1 | -1): void;
    /** The number of topics that the other side may listen to; unlimited if missing. */
    readonly maximumTopics?: number;
    /** The depth to which a payload may nest. */
    readonly maximumDepth?: number;

    // For the files after it, until the globals are published.
    addToBridge(name: string, member: unknown): void;

    // For the host, after it.
    installBridge(): void;
    receiveRequest(name: string, data: unknown, callbackId: unknown, ttl: number, accepts: 0 | 1): void;
    /** Handles a response. `outcome` is 2 for a stream, whose id then is the data. */
    receiveResponse(responseId: unknown, outcome: boolean | 2, data: unknown, handle?: unknown): void;
    receiveControl(kind: number, id: unknown, number: unknown, data: unknown): void;
    /** Receives the trace of the request that follows; direct, while calls are traced. */
    deliverTrace(id: unknown, parent: unknown): void;
    /** Records what a terminated turn has ended, for `disconnect`, or for `endOperation` if it was an operation's. */
    noteEnded(operation?: number): void;
    disconnect(record: BridgeErrorRecord): void;
    /** Returns whether a script has registered a handler of the name. */
    hasHandler(name: string): boolean;
    /**
     * Returns the pending state of this side: calls, requests, handlers, streams, topics, and the number of waiting
     * messages.
     */
    tables(): object;
    pendingCount(): number;
    /** Returns whether the reply of a call is awaited by a callback of the legacy API. */
    isCallback(id: unknown): boolean;
    /** Assigns the running code to the operation of this number, 0 for none. */
    enterOperation(number: number): void;
    /**
     * Reports that a turn of an operation was terminated. Without an error record the operation has ended, and none of
     * its code runs.
     */
    endOperation(number: number, record?: object): void;
    /** Drops the messages of a batch that were not handled yet. */
    dropBatch?(): void;
    streamCount(): number;
    topicCount(): number;
    counts(): { unknownResponses: number; duplicateReplies: number; droppedMessages: number };
}
