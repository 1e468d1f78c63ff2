// Makes a context depend only on its boundary: the time of day, the clock and random numbers come from the host, which
// records them or replays recorded ones. This file runs only in contexts of bridges that are recorded or replayed,
// before the bridge's own parts and before any script.
import { environment } from "../engine/environment.js";
import { callNative } from "../engine/native.js";
import { Date, ObjectDefineProperty, ReflectConstruct, uncurryThis } from "../engine/primordials.js";

const { readDate, readClock, seed } = host.recording;
const dateText = uncurryThis(Date.prototype.toString);

const define = (
    /** @type {object} */ object, /** @type {string} */ name, /** @type {unknown} */ value,
) => ObjectDefineProperty(object, name, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
});

// ---------------------------------------------------------------- time

const now = () => callNative(readDate);
environment.now = now;
environment.eventTime = () => callNative(readClock);

function RecordedDate(/** @type {any[]} */ ...parts) {
    if (new.target === undefined) return dateText(new Date(now()));
    return ReflectConstruct(Date, parts.length === 0 ? [now()] : parts, new.target);
}
const { prototype } = Date;
ObjectDefineProperty(RecordedDate, "prototype", { __proto__: null, value: prototype, writable: false });
ObjectDefineProperty(RecordedDate, "name", { __proto__: null, value: "Date", configurable: true });
ObjectDefineProperty(RecordedDate, "length", { __proto__: null, value: 7, configurable: true });
define(RecordedDate, "now", { now() { return now(); } }.now);
define(RecordedDate, "parse", Date.parse);
define(RecordedDate, "UTC", Date.UTC);
define(prototype, "constructor", RecordedDate);
define(globalThis, "Date", RecordedDate);

// ---------------------------------------------------------------- random numbers

// sfc32 by Chris Doty-Humphrey: four words of state, passes PractRand. It uses 32 bits only, so its results are the
// same everywhere.
let a = seed.first | 0, b = seed.second | 0, c = seed.third | 0, d = 1;
function word() {
    const sum = (a + b | 0) + d | 0;
    d = d + 1 | 0;
    a = b ^ b >>> 9;
    b = c + (c << 3) | 0;
    c = (c << 21 | c >>> 11) + sum | 0;
    return sum >>> 0;
}
for (let index = 0; index < 12; index++) word();
const random = { random() { return ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992; } }.random;
define(Math, "random", random);
environment.random = random;
// A journal does not record when the garbage collector collects something, so code that would report it is
// disabled.
environment.isRecorded = true;
