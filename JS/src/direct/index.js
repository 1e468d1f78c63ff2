// The transport of values in process.
import { publishToHost } from "../engine/publish.js";
import {
    addHandlerReceiver, addReplyReceiver, addTopicReceiver, deliverBatch, deliverControl, deliverRequest,
    deliverResponse, dropBatch, dropHandlerReceivers, isUnwanted, requestsInBatch,
} from "./transport.js";

publishToHost({
    __proto__: null,
    addHandlerReceiver, addTopicReceiver, dropHandlerReceivers, addReplyReceiver, isUnwanted, requestsInBatch,
    deliverBatch, dropBatch, deliverRequest, deliverResponse, deliverControl,
});
