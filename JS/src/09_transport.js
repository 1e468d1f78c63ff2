// The direct transport's half in the script: messages cross as values, taken at the moment of the call.
(function (internal) {
    "use strict";

    if (internal.mode !== "direct") return;
    const { take, postRequest, postResponse, postStream, postControl } = internal;

    internal.sendRequest = function sendRequest(handlerName, data, callbackId, ttl, accepted) {
        return take(data, postRequest, handlerName, callbackId, ttl, accepted);
    };

    internal.sendResponse = function sendResponse(responseId, handlerName, ok, data, handle) {
        take(data, postResponse, responseId, ok ? 1 : 0, handle);
    };

    internal.sendStream = postStream;

    internal.sendControl = function sendControl(kind, id, number, data) {
        take(data, postControl, kind, id, number);
    };
})
