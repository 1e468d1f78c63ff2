// Time and random numbers. A context that is recorded or replayed gets them from the host (recording/recording.js).
import { Date, MathFloor } from "./primordials.js";
import { callNative, nativeNow } from "./native.js";

export const environment = {
    __proto__: null,
    // Returns the milliseconds since 1970.
    now: Date.now,
    // Returns the milliseconds since the context was created, by the clock of the timers.
    eventTime: () => callNative(nativeNow),
    random: Math.random,
    // Whether the context is recorded or replayed. Then no behavior may depend on the garbage collector.
    isRecorded: false,
};

// Returns a time of scripts' clocks in steps: a finer clock would help to measure what other code of the process does.
export function coarse(/** @type {number} */ time) {
    const steps = host.clockStepsPerMillisecond;
    return steps === undefined ? time : MathFloor(time * steps) / steps;
}
