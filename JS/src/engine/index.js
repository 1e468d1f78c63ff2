// The scripts that every context runs: values and errors across the boundary, and the globals that a bare context lacks.
import {
    ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached, ArrayBufferPrototypeGetResizable,
    ArrayBufferPrototypeTransferToFixedLength, DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength,
    DataViewPrototypeGetByteOffset, ObjectDefineProperty, ObjectGetPrototypeOf, ObjectKeys, ObjectSetPrototypeOf, ReflectOwnKeys, String,
    TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
    TypedArrayPrototypeSet, Uint8Array,
} from "./primordials.js";
import {
    addShape, buildAll, emptyText, refreshIncoming, resetTake, shareLists, take, takePayload, timeOf,
} from "./values.js";
import { callCatching, describeInto, enterOrigin, makeHostError, trail } from "./errors.js";
import { failed, makeFunction } from "./functions.js";
import {
    callBuilt, getDataMember, getMember, isPlain, makeSlot, makeTyped, onlyKey, ownKeysOf, readBlocks, readEntries,
    readMember, readMemberEntries, readMemberRows, readOne, readRows,
} from "./shapes.js";
import { fireTimer } from "./timers.js";
import { log, show } from "./console.js";
import { callAsync, endMicrotasks, observe, recordPromise, thenOf, toPromise } from "./promises.js";
import "./structured_clone.js";
import { limitBuffers } from "./buffer_limits.js";
import { publishToHost } from "./publish.js";

// Last: functions that the modules have captured before are not guarded.
if (host.maximumTypedArrayBytes <= 9007199254740991) limitBuffers();

// Bundles that load later read and set members when scripts may have put setters on Object.prototype.
ObjectSetPrototypeOf(host, null);
ObjectSetPrototypeOf(bundles, null);

publishToHost({
    __proto__: null,
    take, takePayload, refreshIncoming, shareLists, addShape, emptyText, resetTake, describeInto, enterOrigin,
    callCatching, failed, makeFunction, makeTyped, makeSlot, readRows, readMemberRows, readBlocks,
    readEntries, readMemberEntries, timeOf, onlyKey, isPlain, callBuilt, readOne, readMember,
    getMember, getDataMember, fireTimer, show, log, observe, callAsync, toPromise, recordPromise, endMicrotasks,
    build: buildAll, makeError: makeHostError, ownKeys: ownKeysOf, then: thenOf, trail,
    primordials: {
        __proto__: null,
        ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached, ArrayBufferPrototypeGetResizable,
        ArrayBufferPrototypeTransferToFixedLength, DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength,
        DataViewPrototypeGetByteOffset, ObjectDefineProperty, ObjectGetPrototypeOf, ObjectKeys, ReflectOwnKeys,
        String, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
        TypedArrayPrototypeSet, Uint8Array,
    },
});
