// The behavior of encoders and decoders, which the first use of any of them loads.
import { loadedBundles } from "../engine/late_bundles.js";
import { makeEncoding } from "./encoding.js";

loadedBundles.encoding_code = makeEncoding();
