// The behavior of references, which the first one loads.
import {
    callReference, exportReference, exportReferenceNote, exportedValue, finalizeReference, heldValue, importReference,
    importReferenceNote, isReferred, queueRelease, receiveCall, receiveRelease, reference, referenceCounts, takeBack,
    takeBackReference,
} from "./references.js";
import { loadedBundles } from "../engine/late_bundles.js";

loadedBundles.references_code = {
    __proto__: null, callReference, exportReference, exportReferenceNote, exportedValue, finalizeReference, heldValue,
    importReference, importReferenceNote, isReferred, queueRelease, receiveCall, receiveRelease, reference,
    referenceCounts, takeBack, takeBackReference,
};
