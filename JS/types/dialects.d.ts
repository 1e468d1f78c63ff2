/**
 * The objects that the dialects provide: `BridgeConfiguration.dialect` puts them in the place of
 * `WebViewJavascriptBridge` or beside it. Each may be missing; see JavaScriptBridge.docc/Dialects.md.
 */

/** The object of WebViewJavascriptBridge 4 and JsBridge, which has a default handler. */
interface WebViewJavascriptBridge {
    /**
     * Sets the handler for messages without a name and delivers the messages that have waited for it. It can be called
     * once.
     *
     * @throws Error if it is called twice.
     */
    init?(handler: (data: any, responseCallback: (reply?: any) => void) => void): void;
    /** Sends a message without a name to the program's default handler. */
    send?(data?: unknown, responseCallback?: (reply: any) => void): void;
}

/** The object of Lision: that of WebViewJavascriptBridge under another name. */
declare const WKWebViewJavascriptBridge: WebViewJavascriptBridge | undefined;
/** The functions to call with the bridge once it exists, like `WVJBCallbacks`. */
declare var WKWVJBCallbacks: Array<(bridge: WebViewJavascriptBridge) => void> | undefined;

/** The object of KKJSBridge: modules and methods of the program, and its events. */
interface KKJSBridge {
    /** Calls a method; the module `null` is `default`. */
    call(module: string | null, method: string, data?: unknown, callback?: (answer: any) => void): void;
    /** Calls a method synchronously and returns its reply, or null if the method has no synchronous reply. */
    syncCall(module: string | null, method: string, data?: unknown): any;
    /** Adds an observer of an event. */
    on(event: string, callback: (data: any) => void): void;
    /** Removes an observer wherever it was added, or, without a callback, all observers of the event. */
    off(event: string, callback?: (data: any) => void): void;
    /** Handles a message from the program. For the program, not for scripts. */
    _handleMessageFromNative(message: string): void;
}
/** The object of KKJSBridge. Other dialects have no such global. */
declare const KKJSBridge: KKJSBridge | undefined;

/** The object of DSBridge: methods on both sides. */
interface DSBridge {
    /** Calls a method of the program and returns its reply; an unknown method returns an empty string. */
    call(method: string, argument?: unknown): any;
    /** Calls a method of the program, which replies later through the callback. */
    call(method: string, argument: unknown, callback: (answer: any) => void): void;
    /** Calls a method of the program with an empty object as its argument. */
    call(method: string, callback: (answer: any) => void): void;
    /** Registers a method, or an object of methods under a namespace. The reply is the return value. */
    register(name: string, method: Function | object): void;
    /**
     * Registers methods whose last argument is a function that sends the reply. With false as its second argument, more
     * replies follow.
     */
    registerAsyn(name: string, method: Function | object): void;
    /**
     * Returns whether the program has a method: `syn` for one with a synchronous reply; `asyn` and `all`, the default, for
     * any, because each can be called with a callback.
     */
    hasNativeMethod(name: string, type?: "all" | "syn" | "asyn"): boolean;
    /** Asks the native side not to block dialogs. A program of this package ignores it. */
    disableJavascriptDialogBlock(disable?: boolean): void;
}
/** The object of DSBridge. Other dialects have no such global. */
declare const dsBridge: DSBridge | undefined;
