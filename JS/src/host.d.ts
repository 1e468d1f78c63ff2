// The host interface: every function and member that Swift installs for the scripts, and every one that it fetches from
// them. Scripts/check-host-interface compares the names with those in the Swift sources. No script of a user can reach
// any of these objects.

/** A closure of Swift, which `callNative` calls. */
interface HostBox { readonly box: unique symbol }

/** The native functions of a context. Swift installs them before the engine's bundle runs. */
interface NativeFunctions {
    /** Calls a closure of the host. Returns `failed` if it fails; `takeFailure` then returns the error. */
    call(target: unknown, ...values: unknown[]): any;
    takeFailure(): unknown;
    /** The milliseconds since the context was created: a closure for `call`. */
    now: HostBox;
    /** Returns a larger array for encoded values; `used` cells of the present one are copied. */
    growOutgoing(used: number): Float64Array;
    renewOutgoing(): Float64Array;
    /** Returns the array of the values that are decoded. */
    growIncoming(): Float64Array;
    shareKnown(): any;
    /** Takes the value that was encoded. */
    consumeValue(...parts: unknown[]): unknown;
    /** Takes the parts of an error, which `describeInto` passes. */
    consumeError(...parts: unknown[]): unknown;
    consumeCaught(...parts: unknown[]): unknown;
    /** Reports an uncaught error, the failure of a handler, or a promise's rejection that nothing handles. */
    reportError(...parts: unknown[]): unknown;
    noteFailure(...parts: unknown[]): unknown;
    reportRejection(...parts: unknown[]): unknown;
    /** Watches whether a promise, whose rejection is reported, gets a handler. */
    watchRejection(promise: object): void;
    /** Returns true if the promise got a handler since `watchRejection`. Else `rejectionHandled` says so later. */
    endWatch(promise: object): boolean;
    /** Takes the host's own error from which a cause was made. */
    noteCauseOrigin(depth: number, handle: unknown): void;
    /** Notifies the host of the outcome of the promise with this number. */
    settled(id: number, isFulfilled: boolean, value: unknown): void;
    /** Starts a timer, which calls `fireTimer` with its number. An unreferenced one does not keep a run from ending. */
    startTimer(id: number, milliseconds: number, isUnreferenced?: number): void;
    stopTimer(id: number): void;
    /** Runs a bundle that loads at its first use, by name. */
    loadBundle(name: string): void;
    /** Sets the prototype of the global object, where the engine can. */
    setGlobalPrototype(prototype: object): void;
    /** Fills the beginning of an array with random bytes of the system. */
    fillRandom(bytes: Uint8Array, count: number): void;
    /** Sets the members of an object: the parser of URLs, or the problem of a library whose parser is not known. */
    makeURLParser(members: {
        /** Returns the text of a URL, null for an invalid one, false for too long a string, true for unpaired surrogates. */
        parse: ((parser: object, text: string, base: string | undefined) => string | boolean | null) | undefined;
        parser: object | undefined;
        /** The ends of the parts of the last URL, and 1 if its path is opaque. */
        parts: Int32Array | undefined;
        problem: string | null;
    }): void;
    print(level: string, text: string): void;
    displayWidth(text: string): number;
    usesColors(level: string): boolean;
    consoleColumns(): number;
    /** Returns the target of a proxy, null for a revoked one; undefined for any other object. */
    proxyTarget(value: object): any;
    /** Returns 0 for a pending promise, 1 for a fulfilled one, 2 for a rejected one; undefined for any other object. */
    promiseState(value: object, example: Promise<unknown>): number | undefined;
    promiseResult(value: object, example: Promise<unknown>): unknown;
}

/** The functions of the host for modules: closures for `call`. */
interface ModuleFunctions {
    /** Returns the URL for a specifier and the URL of the script that has it. */
    resolve: HostBox;
    /**
     * Loads a module by number, URL, type and first importer. Returns undefined if `finishLoad` or `failLoad` follows, 1 or
     * 2 if it has created a source text, else the module's value.
     */
    load: HostBox;
    /** Creates the source text of a module whose values exist. */
    provide: HostBox;
    /** Replaces a type of import that the engine does not know, by the message of its error, and creates the text again. */
    replaceType: HostBox;
    /** Returns the type that a static import requests. */
    requestedType: HostBox;
    /** Forgets the replaced types of the module with a number. */
    forgetTypes: HostBox;
    /** Returns the column of a syntax error by URL, line and message. */
    columnOfError: HostBox;
    /** Returns the line of an error of linking, with its column as a fraction in 1 / 0x100000, by URL and message. */
    positionOfImport: HostBox;
    sourceName: HostBox;
    positionOfLinkError: HostBox;
    /** Returns the URL for a specifier of `require` and the URL of its module. */
    resolveRequired: HostBox;
    /** Returns the function of a CommonJS module, the text of a JSON document, or a built-in object, by URL and importer. */
    loadRequired: HostBox;
    /** Returns whether a URL is that of a built-in module. */
    isBuiltIn: HostBox;
    /** Returns the path of a URL of a file. */
    pathOfURL: HostBox;
}

/** The members that Swift installs. Those of a bridge are set before its bundles run; some may change later. */
interface HostMembers {
    readonly native: NativeFunctions;
    /** The limits of payloads. `maximumTypedArrayBytes` is above 2^53 without a limit. */
    readonly maximumDepth: number;
    readonly maximumNodes: number;
    readonly maximumPayloadBytes: number;
    readonly maximumTypedArrayBytes: number;
    /** The steps of scripts' clocks in a millisecond; any number without it. */
    readonly clockStepsPerMillisecond?: number;
    /** The number of causes that an error may have. */
    readonly maximumCauses: number;
    /** True if errors contain the stacks of the code that started asynchronous operations. */
    capturesAsyncStacks: boolean;

    /** `"direct"`: values cross in process. `"text"`: messages are JSON in a queue. */
    readonly mode: "direct" | "text";
    /** `""` for ids as in WebViewJavascriptBridge, else a suffix of the ids. */
    readonly epoch: string;
    /** Milliseconds for promise calls without a timeout of their own; 0 means none. */
    readonly defaultTimeout: number;
    /** The number of functions and objects that one side may hold of the other, in each direction. */
    readonly maximumReferences?: number;
    /** The number of UTF-16 code units that a message may have. */
    readonly maximumMessageLength?: number;
    /** The number of topics that the other side may listen to. */
    readonly maximumTopics?: number;
    /** Writes a warning to the host's log, in process. Without it warnings go to the console. */
    warnHost?(text: string): void;
    /** The name of the handler whose failures `noteFailure` gets as they were thrown. */
    readonly watchedHandler?: string;
    /** True if calls begin a trace. */
    readonly tracesCalls?: boolean;
    /** Sends the trace of the request that follows; direct, while calls are traced. */
    postTrace(id: string, parent: string | undefined): void;
    /** Creates an object that calls `finalizeReference(number)` after its collection. */
    makeNet?(number: number): object;
    /** Returns the number of references that the host has taken from payloads so far; direct. */
    takenReferences(): number;
    /** The functions of time and random numbers of a context that is recorded or replayed. */
    readonly recording: RecordingFunctions;

    // Direct: the functions that take a message from the slab, and those for handlers with Swift types.
    postRequest(...parts: unknown[]): any;
    postResponse(...parts: unknown[]): any;
    postStream(id: unknown, stream: unknown): void;
    postControl(...parts: unknown[]): any;
    postSynchronous(...parts: unknown[]): any;
    /** Returns the host's error of the last synchronous request and clears it. */
    takeSynchronousError(): unknown;
    /** Returns true if the handler takes data; adds the receiver of a handler that takes a Swift type. */
    introduceHandler(name: string): boolean;
    /** Returns true if events of the topic are taken as data; adds the receiver of its only listener otherwise. */
    introduceTopic(name: string): boolean;
    /** Counts the topics that a script listens to. They keep the host running. */
    listening?(change: 1 | -1): void;
    /** Runs the pending microtasks: a closure for `call`. */
    runMicrotasks: HostBox;

    // Text: the functions of the page's native side.
    /** The dialect (`BridgeDialect.record`); by default that of WebViewJavascriptBridge 6. */
    readonly dialect?: any;
    /** The capabilities of the other side that are known from the start, bits as in `accepts` of state.js. */
    readonly peerAccepts?: number;
    /** The encoding of bytes for a side that does not support them. */
    readonly binaryPolicy?: "base64" | "numbers" | "fail";
    /** Notifies the host that the queue is not empty. */
    signal(): void;
    /** True if messages wait until a script has used the bridge, which `noteUse` reports. */
    readonly awaitsUse?: boolean;
    /** Notifies the host that the page requests the script's side, or that it is listening. */
    bridgeLoaded(): void;
    /** Delivers the JSON text of a list of messages, from a page that sends it without a fetch. */
    arrive(text: string): void;
    /** Replies to a blocking call: the JSON of the payload, or the reason of its failure. */
    answer(text: string): { payload?: string; failure?: string };
    /** Returns whether Swift has a handler of the name, of the kind `all`, `syn` or `asyn`. */
    hasNativeHandler(name: string, kind: string): boolean;

    /** The engine's module loader, and the host's half of modules. */
    readonly modules: { functions: ModuleFunctions, loader: any, isReloadable: boolean };

    /** The host's half of the data API. */
    readonly data: DataFunctions;
    /** The session of the data API, for Swift alone. */
    dataSession?: unknown;

    /** The host's half of the collection views. */
    readonly views: ViewFunctions;
    /** The session of the collection views, for Swift alone. */
    viewSession?: unknown;
}

/** The sources of time and random numbers of a context that is recorded or replayed. */
interface RecordingFunctions {
    readDate: HostBox;
    readClock: HostBox;
    seed: { first: number; second: number; third: number };
}

/** The functions of the language, saved before any script ran, that Swift calls. */
type SavedFunction =
    | "ArrayBufferPrototypeGetByteLength" | "ArrayBufferPrototypeGetDetached" | "ArrayBufferPrototypeGetResizable"
    | "ArrayBufferPrototypeTransferToFixedLength" | "DataViewPrototypeGetBuffer" | "DataViewPrototypeGetByteLength"
    | "DataViewPrototypeGetByteOffset" | "ObjectDefineProperty" | "ObjectGetPrototypeOf" | "ObjectKeys" | "ReflectOwnKeys"
    | "String" | "TypedArrayPrototypeGetBuffer" | "TypedArrayPrototypeGetByteLength"
    | "TypedArrayPrototypeGetByteOffset" | "TypedArrayPrototypeSet" | "Uint8Array";

/** The functions and members of the scripts that Swift fetches. Each bundle publishes its own. */
interface ScriptMembers {
    // engine
    primordials: { readonly [name in SavedFunction]: unknown } & { __proto__: null };
    failed: symbol;
    emptyText: string;
    take(...parts: any[]): any;
    takePayload(...parts: any[]): any;
    resetTake(): void;
    build(...parts: any[]): any;
    refreshIncoming(): void;
    shareLists(buffers: any): void;
    addShape(make: any): number;
    makeSlot(make: any): object;
    makeTyped(...parts: any[]): any;
    makeFunction(...parts: any[]): any;
    readRows(...parts: any[]): any;
    readMemberRows(...parts: any[]): any;
    readBlocks(...parts: any[]): any;
    readEntries(...parts: any[]): any;
    readMemberEntries(...parts: any[]): any;
    timeOf(value: any, refers: boolean): number | undefined;
    onlyKey(object: any): string | undefined;
    isPlain(value: any): boolean;
    readOne(...parts: any[]): any;
    readMember(...parts: any[]): any;
    callBuilt(...parts: any[]): any;
    ownKeys(object: object): string[];
    getMember(object: any, name: string): any;
    getDataMember(object: any, name: string): any;
    describeInto(...parts: any[]): any;
    makeError(record: BridgeErrorRecord, handle?: unknown): Error;
    enterOrigin(note: any): any;
    trail(): string;
    callCatching(...parts: any[]): any;
    fireTimer(id: number, isOver?: boolean): void;
    observe(value: unknown, id: number): void;
    callAsync(name: string, id: number, ...values: unknown[]): void;
    toPromise(value: unknown): Promise<unknown>;
    then(promise: any, onFulfilled: any, onRejected: any): Promise<unknown>;
    recordPromise(promise: any): object;
    endMicrotasks(): Promise<void>;
    show(value: unknown, options?: any): string;
    log(level: string, text: string): void;

    // console
    /** Makes names of the global object assignable, which an input of a REPL declares. */
    declareNames(names: string[]): void;
    /** Makes assignments to variables of a REPL throw. */
    makeConstant(names: string[]): void;
    /** Sets the variable of the last result or error, unless a script has assigned its own value. */
    keepResult(name: string, value: unknown): void;
    /** Returns the names of members that begin with a prefix, separated by line ends. */
    memberNames(path: string[], prefix: string): string;
    /** Reads the globals of the host, before any script of the user runs. */
    readGlobals(): void;
    /** Returns a value as a REPL shows it. */
    showResult(value: unknown, colors: boolean, columns: number): string;
    /** Returns the type of a value in the notation of TypeScript. */
    typeText(value: unknown): string;

    // web
    /** Reports a rejected promise that has no handler at the end of a turn, with its reason. */
    reportRejection(promise: any, reason: unknown): void;
    /** Reports that a promise got a handler after its rejection was reported. */
    rejectionHandled(promise: any): void;

    // modules
    /** Throws if the URL has a module. */
    checkNewModule(url: string): void;
    importModule(specifier: string, referrer: unknown, type: string): Promise<unknown>;
    importDynamically(specifier: string, referrer: unknown, options: unknown): Promise<unknown>;
    makeMeta(key: unknown): object;
    /** Replaces modules whose sources have changed, and their dependants; the promise has the URLs of all of them. */
    reloadModules(urls: string[]): Promise<string[]>;
    finishLoad(number: number, result: unknown): void;
    failLoad(number: number, error: unknown): void;
    /** Returns the message of the syntax error in the source text that was created last. */
    problemOfSource(): string | undefined;
    /** Ends, after a termination, everything that is not evaluated. */
    endModules(): void;
    rejectEndedImports(): void;

    // page
    /** Publishes a page over functions of its owner, and returns the functions that build and end it. */
    makePage(given: any): any;

    // direct
    addHandlerReceiver(name: string, slot: any, box: any, nested: any): void;
    addTopicReceiver(name: string, slot: any, box: any): void;
    dropHandlerReceivers(): void;
    addReplyReceiver(number: number, slot: any, box: any, items: any): void;
    isUnwanted(): boolean;
    requestsInBatch: Uint32Array;
    deliverBatch(text: any, count: number): boolean;
    dropBatch(): void;
    deliverRequest(text: any): any;
    deliverResponse(text: any, handle?: unknown): any;
    deliverControl(text: any): any;

    // bridge
    /** Creates the globals of the bridge. A second call only runs a set-up list that was filled since. */
    installBridge(): void;
    /** Records that a script has used the bridge. */
    noteUse(): void;
    /** Records what a terminated turn has ended, for `disconnect`, or for `endOperation` if it was an operation's. */
    noteEnded(operation?: number): void;
    /** Continues what a terminated turn has left undone. Called in a turn of no operation. */
    resume(): void;
    /** Rejects all promise calls with the record's error and drops callbacks. */
    disconnect(record: BridgeErrorRecord): void;
    /** Assigns the running code to the operation of this number, 0 for none. */
    enterOperation(number: number): void;
    /** Ends the state of an operation. Without a record the operation has ended, and none of its code runs. */
    endOperation(number: number, record?: BridgeErrorRecord): void;
    /** Receives the trace of the request that follows; direct, while calls are traced. */
    deliverTrace(id: unknown, parent: unknown): void;
    /** Returns whether a script has registered a handler of the name. */
    hasHandler(name: string): boolean;
    /** Returns the exports of `bridge:core`, `bridge:data` or `bridge:views`; `undefined` for a part that the host lacks. */
    partOf(part: string): object | undefined;
    /** Returns the exports of `bridge:handlers/GROUP`: the handlers of these names. */
    handlersOf(group: string, names: string[]): object;
    /** Returns the exports of a built-in module of the system, which `given` describes; `undefined` for another name. */
    systemModule(name: string, given: unknown): object | undefined;
    /** Returns the exports of `bridge:test`. */
    testModule(): object;
    /** Returns the tests whose names contain a string, in their order. */
    planTests(filter: string): object;
    /** Begins a test with its hooks. */
    runTest(number: number): void;
    /** Returns the promise of the test that was begun, which is rejected with its error. */
    awaitTest(): Promise<void>;
    /** Returns a promise that settles after the timers that are due. */
    settleTimers(): Promise<void>;
    /** Ends a test that waits although no work is left. */
    endTest(number: number): void;
    /** Exports a reference as a string: `f`, `o` or `y` for its kind, its id, and NUL and a name for each method. */
    exportReference(value: unknown): string;
    importReference(note: string, methods: string): any;
    isReferred(value: unknown): boolean;
    finalizeReference(number: number): void;
    /** Empties the queue, and handles a message. */
    takeQueue(): string | void;
    takeMessage(text: string): void;
    /** Returns the pending state, for inspection. */
    tables(): object;

    // text
    /** The functions that build and end the page. */
    page: any;
    /** Records the first use of the script's side that a page brings. */
    awaitPeer(): void;
    /** Returns whether calls of this side reach the handlers of a page that brings its own script's side. */
    isPageReady(): boolean;
    hasPeer(): boolean;
    /** Delivers a message to the script's side. */
    deliver(text: string): void;

    // data
    dataSource(name: string): any;
    bindMethod(entry: any, name: string): any;
    dataSourceNames(): string[];
}

/** The counters that the tests of the package fetch. */
interface TestMembers {
    pendingCount(): number;
    streamCount(): number;
    topicCount(): number;
    keptCount(): number;
    referenceCounts(): object;
    counts(): { unknownResponses: number; duplicateReplies: number; droppedMessages: number };
}

/** The host's half of the data API. Handles are objects of the host, and payloads any data. */
interface DataFunctions {
    apply(...values: any[]): any;
    attributes(...values: any[]): any;
    attributesOf(...values: any[]): any;
    changePaths(...values: any[]): any;
    changes(...values: any[]): any;
    close(...values: any[]): any;
    count(...values: any[]): any;
    createEntity(...values: any[]): any;
    delete(...values: any[]): any;
    differenceOfNumbers(...values: any[]): any;
    entities(...values: any[]): any;
    fetch(...values: any[]): any;
    followSource(...values: any[]): any;
    importCSV(...values: any[]): any;
    indexOf(...values: any[]): any;
    insert(...values: any[]): any;
    inverse(...values: any[]): any;
    keyTaker(...values: any[]): any;
    listen(...values: any[]): any;
    merge(...values: any[]): any;
    numberOfItems(...values: any[]): any;
    numberOfSections(...values: any[]): any;
    openSource(...values: any[]): any;
    orderNumbers(...values: any[]): any;
    orderTaken(...values: any[]): any;
    reference(...values: any[]): any;
    restoreHostState(...values: any[]): any;
    restoreSourceState(...values: any[]): any;
    restoreState(...values: any[]): any;
    saveHostState(...values: any[]): any;
    saveSourceState(...values: any[]): any;
    saveState(...values: any[]): any;
    section(...values: any[]): any;
    snapshot(...values: any[]): any;
    snapshotSections(...values: any[]): any;
    snapshotsEqual(...values: any[]): any;
    sourceAfter(...values: any[]): any;
    sourceIndexOf(...values: any[]): any;
    sourceItem(...values: any[]): any;
    sourceItems(...values: any[]): any;
    sourceSections(...values: any[]): any;
    sourceTitle(...values: any[]): any;
    sourceVersion(...values: any[]): any;
    sourceWindow(...values: any[]): any;
    stamp(...values: any[]): any;
    transaction(...values: any[]): any;
    unlisten(...values: any[]): any;
    update(...values: any[]): any;
    upsert(...values: any[]): any;
    version(...values: any[]): any;
    window(...values: any[]): any;
}

/** The host's half of the collection views. */
interface ViewFunctions {
    /** The number of contents of cells that the script keeps for a view. */
    readonly keptCells: number;
    /** Creates a view of a script's object, and returns its handle. */
    create(script: object, name: string, title: string): object;
    /** Does or asks something, by the name of it. */
    perform(view: object, name: string, ...values: unknown[]): any;
}

/** The transport of values in process, which the direct bundle provides. */
interface ValueTransport {
    /** Sends a request. Nothing is sent if `call` is cancelled while its data is encoded. */
    sendRequest(
        name: string, data: unknown, callbackId: unknown, ttl: number, accepts: number, call?: { readonly isCancelled: boolean },
    ): void;
    /** Sends a response. `handle` is the host's error from which the record in `data` was made, if any. */
    sendResponse(responseId: unknown, name: string, ok: boolean, data: unknown, handle?: unknown, accepts?: number): void;
    sendStream(responseId: unknown, stream: unknown): void;
    /** Calls a handler synchronously. `finish` receives the result, or the record of an error. */
    sendSynchronous(name: string, data: unknown, finish: (ok: boolean, result: any) => void): void;
    /** Sends an item of a stream whose consumer decodes it as a Swift type. */
    sendItem(stream: unknown, number: number, data: unknown, accepted: number): void;
    /** Sends a control message, which is neither a call nor a reply; `kind` is one of `controls` in sending.js. */
    sendControl(kind: number, id: unknown, number: number, data: unknown): void;
    /** Gives the transport the functions that receive messages. */
    connect(receiver: any): void;
}

interface BridgeErrorRecord {
    code: string;
    msg: string;
    data?: unknown;
    stack?: string;
    cause?: BridgeErrorRecord;
}

/** The parameters of each bundle: the host interface, and the exports of the bundles that ran before. */
declare const host: HostMembers & ScriptMembers & TestMembers & { transport?: ValueTransport };
declare const bundles: object;
