// The encoding of payloads on a text wire, which the first message of one loads.
import { describePayload, importUnread, pack, snapshot, unpack } from "./extension_values.js";
import { loadedBundles } from "../engine/late_bundles.js";

loadedBundles.wire_code = { __proto__: null, describePayload, importUnread, pack, snapshot, unpack };
