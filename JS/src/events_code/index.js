// The behavior of events and abort signals, which the first use of any of them loads.
import { loadedBundles } from "../engine/late_bundles.js";
import { addSignals } from "./abort.js";
import { makeEvents } from "./events.js";

const events = makeEvents();
addSignals(events);
loadedBundles.events_code = events;
