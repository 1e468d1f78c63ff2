// The bridge on the JavaScript side. JavaScriptBridge.docc/Protocol.md describes the wire, whose numbers the comments use.
import { publishToHost } from "../engine/publish.js";
import { noteUse } from "./state.js";
import { noteTrace } from "./traces.js";
import { isCallback, pendingCount } from "./calls.js";
import { hasHandler } from "./handlers.js";
import { streamCount } from "./streams.js";
import { topicCount } from "./topics.js";
import {
    exportReferenceNote, finalizeReference, importReferenceNote, isReferred, referenceCounts,
} from "./references.js";
import { keptCount } from "./pipelining.js";
import { receiveControl, receiveRequest, receiveResponse } from "./receiving.js";
import { tables } from "./tables.js";
import {
    countsNow, disconnect, endOperation, enterOperation, handlersOf, installBridge, noteEnded, partOf, resume,
    takeMessage, takeQueue,
} from "./api_objects.js";
import { connect } from "./transport.js";

if (connect !== undefined) connect({ receiveRequest, receiveResponse, receiveControl, isCallback });

publishToHost({
    __proto__: null,
    installBridge, noteUse, noteEnded, resume, disconnect, enterOperation, endOperation, hasHandler, isReferred,
    takeQueue, takeMessage, tables, pendingCount, streamCount, topicCount, referenceCounts, keptCount,
    deliverTrace: noteTrace, exportReference: exportReferenceNote, importReference: importReferenceNote,
    finalizeReference, counts: countsNow, partOf, handlersOf,
});
