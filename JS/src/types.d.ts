// Types that several modules share.

/** A property descriptor that reads nothing of Object.prototype. */
interface SafeDescriptor {
    __proto__?: null;
    value?: any;
    get?: () => any;
    set?: (value: any) => void;
    writable?: boolean;
    enumerable?: boolean;
    configurable?: boolean;
}

/** A linked list. */
interface List { first: ListNode | null; last: ListNode | null }
interface ListNode { value: any; next: ListNode | null }

/** The code that started the running code (errors.js). `until` is the note whose `time` is the deadline. */
interface AsyncOrigin {
    label: string;
    site: Error | null;
    parent: AsyncOrigin | null;
    depth: number;
    trail: string | undefined;
    until: AsyncOrigin | null;
    time: number;
    trace: BridgeTrace | undefined;
}

/** A message of the wire in the form of WebViewJavascriptBridge. */
interface BridgeMessage {
    __proto__?: null;
    handlerName?: string;
    data?: any;
    callbackId?: any;
    responseId?: any;
    responseData?: any;
    x?: any;
}

/** The thrown value of a script as the host reads it. */
interface ThrownRecord {
    __proto__?: null;
    name: string | undefined;
    message: string | undefined;
    stack: string | undefined;
    line: number | undefined;
    column: number | undefined;
    sourceURL: string | undefined;
    code: string | undefined;
    data: unknown;
    thrown: unknown;
    handle: unknown;
    cause: any;
    details: string | undefined;
}
