// The host interface of the bundles `browser` and `page_view`, which run in a real browser. The script around
// the bundles provides it in place of Swift.

/** The members that the engine's and the bridge's bundles exchange with the browser; host.d.ts has the others. */
interface BrowserSide {
    __proto__: null;
    [member: string]: any;
    fireTimer?(id: number): void;
    installBridge?(): void;
    takeQueue?(): string;
    takeMessage?(message: unknown): void;
    disconnect?(record: { code: string, msg: string }): void;
}

/** A bridge as scripts see it (types/bridge.d.ts), in the part that the page uses. */
interface PageBridge {
    callHandler(name: string, data?: unknown, options?: { timeout?: number, signal?: AbortSignal }): Promise<any>;
    openStream(name: string, data?: unknown, options?: { window?: number }): AsyncIterable<any> & PageStream;
    registerHandler(name: string, handler: (data: any) => unknown): void;
}

interface PageStream {
    next(): Promise<{ value: any, done: boolean }>;
    close(): void;
}

/** The parameters of the bundles. */
declare const host: {
    /** Runs the engine's and the bridge's bundles over a side, with a global scope of their own. */
    runBridge(scope: object, side: BrowserSide, exports: object): void;
    /** The bundles that run at their first use, by name. */
    laterBundles: { [name: string]: (side: BrowserSide, exports: object) => void };
};
declare const bundles: unknown;
