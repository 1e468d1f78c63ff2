// The deadlines of this side's calls: one timer for all calls with the same timeout, and one for all calls that inherit
// the deadline of the same call.
import { hooks } from "./hooks.js";
import { environment } from "../engine/environment.js";
import { makeSafeMap, queueJob } from "../engine/primordials.js";
import { clearTimer, setTimer } from "../engine/timers.js";

// Waits longer than timers can count have no deadline.
const longestTimeout = 2147483647;

export function isDeadline(/** @type {number} */ timeout) {
    return timeout > 0 && timeout <= longestTimeout;
}

// Calls with the same timeout expire in the order in which they begin, and calls that inherit the same deadline
// expire together: one timer serves each list. The time that remains until an inherited deadline differs from call
// to call, so lists by remaining time would have one call each.
function makeDeadlines() {
    return { __proto__: null, byTimeout: makeSafeMap(), byMoment: makeSafeMap() };
}

const commonDeadlines = makeDeadlines();
// Each operation has lists of its own, as its timers end with it. These are the lists for the running code:
let deadlines = commonDeadlines;
const deadlinesOfOperations = makeSafeMap();
// The list that was used last: most calls use the same one.
/** @type {any} */
let lastList;

export function enterDeadlines(/** @type {number} */ operation) {
    lastList = undefined;
    if (operation === 0) deadlines = commonDeadlines;
    else {
        deadlines = deadlinesOfOperations.get(operation) ?? makeDeadlines();
        deadlinesOfOperations.set(operation, deadlines);
    }
}

// Adds a call. `moment` is the deadline that the call inherits, `timeout` away, or undefined if `timeout` is its
// own.
export function beginDeadline(/** @type {any} */ call, /** @type {number} */ timeout, /** @type {any} */ moment) {
    if (setTimer === undefined) return;
    const lists = moment === undefined ? deadlines.byTimeout : deadlines.byMoment;
    const key = moment === undefined ? timeout : moment;
    let list = lastList !== undefined && lastList.key === key && lastList.lists === lists ? lastList : lists.get(key);
    if (list === undefined) {
        /** @type {any} */
        const made = { key, first: call, last: call, timer: undefined, isSwept: false, sweep: undefined, lists };
        made.sweep = () => { stopSweep(made); };
        list = made;
        startTimer(list, timeout);
        lists.set(key, list);
    } else {
        call.previous = list.last;
        if (list.first === null) list.first = call;
        else list.last.next = call;
        list.last = call;
        // The timer has fired while the list was empty.
        if (list.timer === undefined) startTimer(list, timeout);
    }
    lastList = list;
    call.due = moment === undefined ? environment.eventTime() + timeout : moment;
    call.timeout = timeout;
    call.deadlines = list;
}

export function endDeadline(/** @type {any} */ call) {
    const list = call.deadlines;
    if (list === null) return;
    call.deadlines = null;
    if (call.previous === null) list.first = call.next;
    else call.previous.next = call.next;
    if (call.next === null) list.last = call.previous;
    else call.next.previous = call.previous;
    call.previous = call.next = null;
}

// Cancels the timer of an empty list. A script that makes one call after another needs one timer for all of them:
// it is cancelled only if the list is still empty after the reactions to the last reply have run. So this must be
// called after the call is settled.
export function sweep(/** @type {any} */ list) {
    if (list === null || list.first !== null || list.isSwept) return;
    list.isSwept = true;
    queueJob(list.sweep);
}

function stopSweep(/** @type {any} */ list) {
    list.isSwept = false;
    if (list.first !== null) return;
    if (list.lists.get(list.key) === list) list.lists.delete(list.key);
    if (lastList === list) lastList = undefined;
    if (list.timer !== undefined) clearTimer(list.timer);
    list.timer = undefined;
}

function startTimer(/** @type {any} */ list, /** @type {number} */ milliseconds) {
    const id = setTimer(() => {
        // If this fires again after a termination, the list may have another timer.
        if (list.timer === id) list.timer = undefined;
        expireFirst(list);
    }, milliseconds);
    list.timer = id;
}

function expireFirst(/** @type {any} */ list) {
    const now = environment.eventTime();
    for (let call = list.first; call !== null && call.due - now < 0.001; call = list.first) {
        // Whatever else happens, the list becomes shorter.
        endDeadline(call);
        hooks.expireCall(call.id, call.timeout);
    }
    if (list.first === null) sweep(list);
    else if (list.timer === undefined) startTimer(list, list.first.due - now);
}

function sweepAgain(/** @type {any} */ list) {
    list.isSwept = false;
    sweep(list);
}

function sweepAll(/** @type {{ byTimeout: any, byMoment: any }} */ { byTimeout, byMoment }) {
    byTimeout.forEach(sweepAgain);
    byMoment.forEach(sweepAgain);
}

// Cancels timers after a termination that ended calls: the jobs that would have cancelled them were dropped with
// it.
export function sweepDeadlines() {
    sweepAll(deadlines);
}

// Cancels the timers of an operation that was terminated or is over.
export function endDeadlines(/** @type {number} */ operation, /** @type {boolean} */ isOver) {
    const lists = deadlinesOfOperations.get(operation);
    if (lists === undefined) return;
    if (isOver) deadlinesOfOperations.delete(operation);
    else sweepAll(lists);
}
