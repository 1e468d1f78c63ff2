// What the files of JS/src share with each other and with the host. No script ever sees it.

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
    /** Whatever was thrown, as text for people. */
    thrownText(thrown: unknown): string;
    describeInto(thrown: unknown, consume: ((...parts: unknown[]) => unknown) | undefined): unknown;
    /** Writes a warning into the host's log, in process. */
    warnHost?(text: string): void;
    /** The handler whose failures the host wants as they were thrown. */
    watchedHandler?: string;

    // From the host, before 10_bridge.js is run.
    readonly mode: "direct" | "text";
    readonly epoch: string;
    readonly defaultTimeout: number;
    /** Of a `call` that was cancelled while its data was taken nothing is sent. */
    sendRequest(
        name: string, data: unknown, callbackId: string | undefined, ttl: number, accepts: 0 | 1,
        call?: { readonly isCancelled: boolean },
    ): void;
    /** `handle` stands for the error of the host that the record in `data` was made of, if any. */
    sendResponse(
        responseId: unknown, name: string, ok: boolean, data: unknown, handle?: unknown, accepts?: number,
    ): void;
    /** Asks for the result of a handler now: `finish` gets it, or the record of an error. Direct only. */
    sendSynchronous(name: string, data: unknown, finish: (ok: boolean, result: unknown) => void): void;
    /** The host's error of the last synchronous request, taken once. */
    takeSynchronousError(): unknown;
    /** The reply to a call whose answer is a stream. */
    sendStream(responseId: unknown, stream: unknown): void;
    /** What crosses beside calls and replies; `kind` is one of 11_sending.js's numbers. */
    sendControl(kind: number, id: unknown, number: number, data: unknown): void;
    signal(): void;
    /** What the other side is known to take from the beginning, as the bits of `bridge.accepts`: where both are ours. */
    peerAccepts?: number;
    /** How bytes are written for a side that does not take them. */
    binaryPolicy?: "base64" | "numbers" | "fail";
    /** Whether calls begin a trace. */
    tracesCalls?: boolean;
    /** Tells the host the trace of the request that follows; direct, while calls are traced. */
    postTrace?(id: string, parent: string | undefined): void;
    /** How the text wire is spelled (`BridgeDialect.record`); without it as WebViewJavascriptBridge 6 has it. */
    dialect?: any;
    /** Loads a URL in a frame, where the queue comes back by one. */
    load(url: string): void;
    /** Gives one message away at once, where the native side fetches no queue. */
    post(text: string): void;
    /** Asks and waits: the answer's JSON, or null. */
    prompt(text: string): string | null;
    /** Calls a method of DSBridge's form; gives the text of its answer. */
    callMethod(name: string, text: string): string;
    /** The text of a list of messages, from a page that hands it over by itself. */
    arrive(text: string): void;
    /** The page asks for the script's side, or says that it listens. */
    bridgeLoaded(): void;
    /** Answers a call that waits: the payload's JSON, or why there is none. */
    answer(text: string): { payload?: string; failure?: string };
    /** Whether Swift has a handler of that name, of the kind `all`, `syn` or `asyn`. */
    hasNativeHandler(name: string, kind: string): boolean;
    hasPeer(): boolean;
    /** Publishes a page over what the host does, and gives what builds and ends it (09_page.js). */
    makePage?(host: any): any;
    page?: any;
    /** Notes when a page first uses the script's side that it brings. */
    awaitPeer?(): void;
    /** Whether calls of this side find the handlers of a page that brings its own script's side. */
    isPageReady?(): boolean;
    /** Whether messages wait until a script has used the bridge, and what says so. */
    awaitsUse?: boolean;
    noteUse?(): void;
    /** Tells the page of an error that nobody catches; true where it has dealt with it. Not without a page. */
    tellPage?: (error: unknown) => boolean;
    /** Where a recorded or replayed context has its time and its random numbers from (09_recording.js). */
    readonly recording?: any;
    /** Whether it has: then nothing may depend on what the collector finds. */
    isRecorded?: boolean;
    /** The engine's functions: `call` enters a closure of the host. */
    native?: { call(target: unknown, ...values: unknown[]): unknown; noteFailure?(...parts: unknown[]): unknown };
    /** Empties the queue and takes a message: the text transport's own way to what the page's entry does too. */
    takeQueue?(): string | undefined;
    takeMessage?(text: string): void;
    /** Sends an item of a stream whose consumer reads it as a Swift type. */
    sendItem?(stream: unknown, number: number, data: unknown, accepted: number): void;
    /** Tells the transport in process that what takes messages is in its place. */
    connectTransport?(): void;
    /** How many functions and objects one side may hold of the other, each way. */
    readonly maximumReferences?: number;
    /** How many units a message may have, and how many values a payload; without them any number. */
    readonly maximumMessageLength?: number;
    readonly maximumNodes?: number;
    readonly maximumPayloadBytes?: number;
    /** Makes what tells `finalizeReference` once the collector has taken it; without it the language's registry does. */
    makeNet?(number: number): unknown;
    /** How many references of the payload that was handed over last the host has taken; direct. */
    takenReferences?(): number;
    /** In process one text tells a reference: `f`, `o` or `y` for its kind, its id, and NUL and a name for each method. */
    exportReference(value: unknown): string;
    takeBackReference(note: string): void;
    importReference(note: string, methods: string): unknown;
    /** Whether a value that is no function crosses by reference. */
    isReferred(value: object): boolean;
    /** How many results are kept for requests that refer to them, and how many such requests wait. */
    keptCount(): number;
    /** What a result of `bridge.pipeline` stands for, and its value where it is here. */
    resultOf(value: object): any;
    settledValue(result: any): unknown;
    finalizeReference(number: number): void;
    referenceCounts(): { exported: number; held: number };
    /** Gives a message to the page's entry. */
    deliver(text: string): void;
    setTimer(callback: () => void, milliseconds: number): unknown;
    clearTimer(id: unknown): void;
    log(level: BridgeLogLevel, text: string): void;
    reportError(error: unknown): void;
    now(): number;
    /** A timer of any length that keeps no run going. */
    setUnreferencedTimer(callback: () => void, milliseconds: number): unknown;
    /** Milliseconds since the context was made. */
    eventTime(): number;
    /** How many bytes a buffer may have; more than there are where that is not limited. */
    readonly maximumTypedArrayBytes?: number;
    /** What 06_events.js and 08_abort.js share with the files after them. */
    events: any;

    // From 02_errors.js: who asked for what runs now.
    readonly maximumCauses: number;
    capturesAsyncStacks: boolean;
    /** Notes who asks, for what will run later; null where that is switched off. */
    noteOrigin(label: string, hasStack?: boolean): AsyncOrigin | null;
    /** Begins what was asked for; gives what ran before. */
    enterOrigin(note: AsyncOrigin | null): AsyncOrigin | null;
    /** Notes the host's error that an error was made of, and adds whoever asked to its stack. */
    adoptError<T extends object>(error: T, handle?: unknown, label?: string, note?: AsyncOrigin | null): T;
    originOf(thrown: unknown, stack?: unknown): { handle: unknown; stack: unknown } | undefined;
    withTrail(stack: unknown): unknown;

    /** Begins what the host asks for and waits for until then, on the clock of `eventTime`. */
    enterDeadline(time: number): any;
    /** The deadline of the call on whose behalf this runs, on the clock of `eventTime`; Infinity without one. */
    inheritedDeadline(): number;

    /** Begins what belongs to a trace. */
    enterTrace(trace: BridgeTrace): void;
    /** The trace that what runs now belongs to. */
    currentTrace(): BridgeTrace | undefined;

    /** What the parts of the bridge (10 to 18) share. */
    bridge: any;
    /** Counts the topics that a script listens to: the host is kept going by them. */
    listening?(change: 1 | -1): void;
    /** How many topics the other side may listen to; any number where that is not limited. */
    readonly maximumTopics?: number;
    /** How deep a payload may nest. */
    readonly maximumDepth?: number;

    // To the files after it, until the globals are published.
    addToBridge(name: string, member: unknown): void;

    // To the host, after it.
    installBridge(): void;
    receiveRequest(name: string, data: unknown, callbackId: unknown, ttl: number, accepts: 0 | 1): void;
    /** `outcome` is 2 for a stream, whose id then is the data. */
    receiveResponse(responseId: unknown, outcome: boolean | 2, data: unknown, handle?: unknown): void;
    receiveControl(kind: number, id: unknown, number: unknown, data: unknown): void;
    /** Tells the trace of the request that follows; direct, while calls are traced. */
    deliverTrace(id: unknown, parent: unknown): void;
    /** Notes what a stopped turn has ended, for `disconnect`, or `endOperation` where it was an operation's. */
    noteEnded(operation?: number): void;
    disconnect(record: BridgeErrorRecord): void;
    /** Whether a script has registered a handler of that name. */
    hasHandler(name: string): boolean;
    /** What this side has in hand: calls, requests, handlers, streams, topics, how many messages wait. */
    tables(): object;
    pendingCount(): number;
    /** Whether what waits for the reply of a call is a callback of the ancestor's form. */
    isCallback(id: unknown): boolean;
    /** What runs now belongs to the operation of this number, 0 for none. */
    enterOperation(number: number): void;
    /** A turn of an operation was stopped; without the error's record the operation has ended, and nothing of it runs. */
    endOperation(number: number, record?: object): void;
    /** Of messages that were handed over together and not come to, none is anybody's any more. */
    dropBatch?(): void;
    streamCount(): number;
    topicCount(): number;
    counts(): { unknownResponses: number; duplicateReplies: number; droppedMessages: number };
}
