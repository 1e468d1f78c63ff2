/**
 * What a script finds in the dialects: by `BridgeConfiguration.dialect`, in the place of `WebViewJavascriptBridge` or added to
 * it. Declared as what may be there; see Documentation/Dialects.md.
 */

/** WebViewJavascriptBridge 4 and JsBridge: the ancestor's object with a default handler. */
interface WebViewJavascriptBridge {
    /**
     * Names the handler for messages without a name, and takes what has waited for it. Once.
     *
     * @throws Error if it is called twice.
     */
    init?(handler: (data: any, responseCallback: (reply?: any) => void) => void): void;
    /** Sends a message without a name, for the program's default handler. */
    send?(data?: unknown, responseCallback?: (reply: any) => void): void;
}

/** Lision: the ancestor's object by another name. */
declare const WKWebViewJavascriptBridge: WebViewJavascriptBridge | undefined;
declare var WKWVJBCallbacks: Array<(bridge: WebViewJavascriptBridge) => void> | undefined;

/** KKJSBridge: modules and methods of the program, and its events. */
interface KKJSBridge {
    /** Calls a method; the module `null` is `default`. */
    call(module: string | null, method: string, data?: unknown, callback?: (answer: any) => void): void;
    /** Calls a method and waits: its answer, or null where there is none at once. */
    syncCall(module: string | null, method: string, data?: unknown): any;
    on(event: string, callback: (data: any) => void): void;
    /** Stops one observer, or without one all of the event. */
    off(event: string, callback?: (data: any) => void): void;
    /** Takes a message from the program. For the program, not for scripts. */
    _handleMessageFromNative(message: string): void;
}
declare const KKJSBridge: KKJSBridge | undefined;

/** DSBridge: methods on both sides. */
interface DSBridge {
    /** Calls a method of the program and waits for its answer; a method that is not there gives an empty text. */
    call(method: string, argument?: unknown): any;
    /** Calls a method of the program, which answers later. */
    call(method: string, argument: unknown, callback: (answer: any) => void): void;
    call(method: string, callback: (answer: any) => void): void;
    /** Registers a method, or an object of methods under a namespace; what it returns is the answer. */
    register(name: string, method: Function | object): void;
    /** The same for methods whose last argument takes the answer; with false after it, one of several. */
    registerAsyn(name: string, method: Function | object): void;
    hasNativeMethod(name: string, type?: "all" | "syn" | "asyn"): boolean;
    disableJavascriptDialogBlock(disable?: boolean): void;
}
declare const dsBridge: DSBridge | undefined;
