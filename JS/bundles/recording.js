// Made from JS/src/recording by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    Date, ObjectDefineProperty, ReflectConstruct, callNative, environment, uncurryThis,
} = bundles.engine;
// recording/recording.js
const { readDate, readClock, seed } = host.recording;
const dateText = uncurryThis(Date.prototype.toString);
const define = (
    object, name, value,
) => ObjectDefineProperty(object, name, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
});
const now = () => callNative(readDate);
environment.now = now;
environment.eventTime = () => callNative(readClock);
function RecordedDate(...parts) {
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
environment.isRecorded = true;
// recording/index.js

})
