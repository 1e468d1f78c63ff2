// The transport of messages as values, in process. With the text transport there is none: messages wait in a queue.
export const {
    sendRequest, sendResponse, sendStream, sendSynchronous, sendItem, sendControl, connect,
} = host.transport ?? /** @type {ValueTransport} */ (/** @type {unknown} */ ({ __proto__: null }));
