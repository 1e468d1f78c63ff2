// The behavior of streams, which the first one loads.
import {
    abandonIterable, failConsumer, openStream, produce, receiveEnd, receiveMore, receiveNext, receiveStop,
    stopProducing,
} from "./streams.js";
import { loadedBundles } from "../engine/late_bundles.js";

loadedBundles.streams_code = {
    __proto__: null, abandonIterable, failConsumer, openStream, produce, receiveEnd, receiveMore, receiveNext,
    receiveStop, stopProducing,
};
