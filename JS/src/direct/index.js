// The transport of values in process.
import { publishToHost } from "../engine/publish.js";
import {
    addHandlerReceiver, addReplyReceiver, deliverBatch, deliverControl, deliverRequest, deliverResponse, dropBatch,
    dropHandlerReceivers, isUnwanted,
} from "./transport.js";

publishToHost({
    __proto__: null,
    addHandlerReceiver, dropHandlerReceivers, addReplyReceiver, isUnwanted, deliverBatch, dropBatch, deliverRequest,
    deliverResponse, deliverControl,
});
