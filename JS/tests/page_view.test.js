"use strict";

// The logic of a page that needs no browser. `Tests/PageViewsTests` runs the whole page in one.
function loadPage() {
    const bundles = { browser: {} };
    evaluate(sources["page_view.js"])({}, bundles);
    return bundles.page_view;
}

const rowHeight = 59, screen = 600;

// Returns a map over `rows` rows, and a scroller that behaves as a browser's does: its position stays in its range.
function scrollerOf(rows, longest) {
    const { ScrollMap } = loadPage();
    const map = new ScrollMap(longest);
    map.setSizes(rows * rowHeight, screen);
    const scroller = {
        map,
        position: 0,
        // The user scrolls; returns how far the content moved.
        scroll(distance) { return scroller.scrollTo(scroller.position + distance); },
        scrollTo(position) {
            const before = map.offset;
            scroller.position = Math.min(Math.max(position, 0), Math.max(0, map.spacer - screen));
            if (map.scrolled(scroller.position)) scroller.settle();
            return map.offset - before;
        },
        settle() {
            scroller.position = map.positionOf(map.offset);
            map.placed(scroller.position);
        },
    };
    return scroller;
}

test("PG11: the spacer is as long as the content, but no longer than browsers can show", () => {
    assert.equal(scrollerOf(1000).map.spacer, 59000);
    assert.equal(scrollerOf(1000000).map.spacer, 8000000);
    assert.equal(scrollerOf(0).map.lastOffset, 0);
});

test("PG12: a short scroll moves content of any length one to one, at every place", () => {
    for (const rows of [100, 10000, 1000000, 100000000]) {
        const scroller = scrollerOf(rows);
        const { map } = scroller;
        for (const part of [0, 0.001, 0.3, 0.5, 0.77, 0.9999, 1]) {
            map.moveTo(map.lastOffset * part);
            scroller.settle();
            for (const distance of [120, -120, 1, 40, -300]) {
                const expected = map.clamp(map.offset + distance) - map.offset;
                const moved = scroller.scroll(distance);
                assert.ok(Math.abs(moved - expected) < 0.001, rows + " rows at " + part + ": " + distance + " moved " + moved);
            }
        }
    }
});

test("PG12: a long scroll is proportional, and the ends of the thumb are the ends of the content", () => {
    const scroller = scrollerOf(1000000);
    const { map } = scroller;
    scroller.scrollTo(map.lastPosition / 2);
    assert.ok(Math.abs(map.offset / map.lastOffset - 0.5) < 0.001, "the middle is at " + map.offset);
    scroller.scrollTo(map.lastPosition);
    assert.equal(map.offset, 59000000 - screen);
    scroller.scrollTo(0);
    assert.equal(map.offset, 0);
});

test("PG12: the last row is reached by short scrolls, with nothing below it", () => {
    const scroller = scrollerOf(1000000);
    const { map } = scroller;
    scroller.scrollTo(map.lastPosition * 0.9999);
    let count = 0;
    while (map.offset < map.lastOffset && count++ < 2000) {
        scroller.scroll(120);
        if (count % 7 === 0) scroller.settle();
    }
    assert.equal(map.offset, map.lastOffset);
    assert.equal(scroller.position, map.lastPosition);
});

test("PG12: a fling from the middle never meets an end of the scroller before that of the content", () => {
    const scroller = scrollerOf(100000000);
    const { map } = scroller;
    // No end of the scroll comes between, so that the thumb drifts.
    map.moveTo(400 * screen);
    scroller.settle();
    let before = map.offset;
    for (let count = 0; map.offset > 0; count++) {
        assert.ok(count < 3000, "stuck at " + map.offset);
        scroller.scroll(-100);
        assert.ok(Math.abs(before - map.offset - Math.min(100, before)) < 0.001, "from " + before + " to " + map.offset);
        before = map.offset;
    }
});

test("PG12: insets lengthen the scroll at both ends, also of content that browsers cannot show", () => {
    for (const rows of [100, 1000000]) {
        const scroller = scrollerOf(rows);
        const { map } = scroller;
        map.setSizes(rows * rowHeight, screen, [20, 50]);
        assert.equal(map.spacer, Math.min(rows * rowHeight + 70, 8000000));
        map.moveTo(-Infinity);
        assert.equal(map.offset, -20);
        scroller.settle();
        assert.equal(scroller.position, 0);
        assert.equal(scroller.scroll(30), 30);
        scroller.scrollTo(Infinity);
        assert.equal(map.offset, rows * rowHeight + 50 - screen);
        scroller.scrollTo(0);
        assert.equal(map.offset, -20);
        for (const part of [0, 0.2, 0.5, 0.9, 1]) {
            const offset = -20 + map.range * part;
            assert.ok(Math.abs(map.offsetOf(map.positionOf(offset)) - offset) < 0.001, "at " + offset);
        }
        map.setSizes(rows * rowHeight, screen);
        assert.equal(map.firstOffset, -20);
    }
});

test("PG12: a scroller whose positions are exact to half a pixel is set once, so that the next scroll is the user's", () => {
    const { Viewport } = loadPage();
    let count = 0, position = 0;
    const scroller = {
        clientWidth: 1000, clientHeight: screen, scrollLeft: 0,
        get scrollTop() { return position; },
        set scrollTop(wanted) {
            count++;
            position = wanted - 0.5;
        },
    };
    const viewport = new Viewport(scroller, { style: {} });
    viewport.map.setSizes(59000000, screen);
    viewport.moveTo(viewport.map.lastOffset);
    for (let end = 0; end < 3; end++) viewport.scrollEnded();
    assert.equal(count, 1);
    position -= 118;
    assert.ok(viewport.scrolled());
    assert.ok(Math.abs(viewport.offset - (viewport.map.lastOffset - 118)) < 1, "at " + viewport.offset);
});

test("PG12: positions and offsets are inverse, and grow together", () => {
    const { map } = scrollerOf(1000000);
    let last = -1;
    for (let index = 0; index <= 1000; index++) {
        const offset = map.lastOffset * index / 1000;
        const position = map.positionOf(offset);
        assert.ok(position > last, "at " + offset);
        assert.ok(Math.abs(map.offsetOf(position) - offset) < 0.001, "at " + offset);
        last = position;
    }
});

// The native side of a list: it knows the offset that the page has sent, and adjusts it by its own changes.
function anchoredList() {
    const { offsetAfter } = loadPage();
    const native = { offset: 0, version: 0, adjustments: [] };
    const page = { offset: 0, version: 0, added: 0 };
    return {
        native, page,
        scrollPage(distance) { page.offset += distance; },
        // An input that was made when the page had seen `page.version`.
        input: () => ({ offset: page.offset, version: page.version }),
        receive({ offset, version }) {
            native.offset = offset;
            for (const entry of native.adjustments) if (entry.version > version) native.offset += entry.adjustment;
        },
        insertAbove(length) {
            native.version++;
            native.offset += length;
            native.adjustments.push({ version: native.version, adjustment: length });
            return { version: native.version, content: { offset: native.offset, adjustment: length } };
        },
        show({ version, content }) {
            page.offset = offsetAfter(page.offset, content, false);
            page.version = version;
            page.added += content.adjustment;
        },
    };
}

test("PG15: what the user scrolls while an adjustment is on its way is kept, in any order of both", () => {
    const random = makeRandom(15);
    for (let round = 0; round < 200; round++) {
        const { native, page, scrollPage, input, receive, insertAbove, show } = anchoredList();
        const inputs = [], updates = [];
        let scrolled = 0, inserted = 0;
        for (let step = 0; step < 60; step++) {
            switch (random(4)) {
            case 0: {
                const distance = random(200);
                scrollPage(distance);
                scrolled += distance;
                inputs.push(input());
                break;
            }
            case 1: {
                const length = random(500);
                updates.push(insertAbove(length));
                inserted += length;
                break;
            }
            case 2: if (inputs.length > 0) receive(inputs.shift()); break;
            default: if (updates.length > 0) show(updates.shift());
            }
            // The visible rows moved by the distance that the user scrolled, and by nothing else.
            assert.equal(page.offset - page.added, scrolled);
        }
        while (updates.length > 0) show(updates.shift());
        while (inputs.length > 0) receive(inputs.shift());
        assert.equal(page.offset, scrolled + inserted);
        receive(input());
        assert.equal(native.offset, page.offset);
    }
});

test("PG15: the first update sets the offset, and a fraction of a pixel is the native side's", () => {
    const { offsetAfter } = loadPage();
    assert.equal(offsetAfter(700, { offset: 12.5, adjustment: 0 }, true), 12.5);
    assert.equal(offsetAfter(700.3, { offset: 700.25, adjustment: 0 }, false), 700.25);
    assert.equal(offsetAfter(700, { offset: 500, adjustment: 0 }, false), 700);
});

test("a pinned header stays at the edge between its limits, at each offset of the page itself", () => {
    const { placeAlong, withPin } = loadPage();
    const header = { kind: "header", frame: [0, 0, 100, 30], pinned: [1000, 1970] };
    for (const [offset, place] of [[900, 1000], [1000, 1000], [1500, 1500], [1970, 1970], [2000, 1970]]) {
        assert.equal(placeAlong(header, true, offset), place);
    }
    assert.equal(placeAlong({ kind: "cell", frame: [7, 50, 10, 10] }, false, 900), 7);
    const content = { offset: 500, direction: "vertical" };
    assert.deepEqual(withPin({ kind: "header", frame: [0, 500, 10, 10], z: 1 }, content).pinned, [500, Infinity]);
    for (const other of [{ kind: "header", frame: [0, 480, 10, 10], z: 1 }, { kind: "header", frame: [0, 500, 10, 10] }, { kind: "cell", frame: [0, 500, 10, 10], z: 1 }]) {
        assert.equal(withPin(other, content), other);
    }
});

test("PG17: the inputs of a frame are one list: neighbors that replace each other are one, and all lengths are one", () => {
    const { InputBatch } = loadPage();
    const batch = new InputBatch();
    assert.ok(batch.isEmpty);
    batch.add(["scroll", 1, 0, 1]);
    batch.add(["scroll", 2, 0, 1]);
    batch.measure(7, 30);
    batch.add(["key", "End", ""]);
    batch.add(["key", "End", ""]);
    batch.add(["scroll", 3, 0, 1]);
    batch.measure(8, 40);
    batch.measure(7, 31);
    batch.add(["drag", "begin", 7, 0, 0]);
    batch.add(["drag", "move", 7, 0, 1]);
    batch.add(["drag", "move", 7, 0, 2]);
    batch.add(["drag", "end", 7, 0, 2]);
    assert.deepEqual(batch.take(), [
        ["scroll", 2, 0, 1], ["key", "End", ""], ["key", "End", ""], ["scroll", 3, 0, 1],
        ["drag", "begin", 7, 0, 0], ["drag", "move", 7, 0, 2], ["drag", "end", 7, 0, 2],
        ["measure", [[7, 31], [8, 40]]],
    ]);
    assert.ok(batch.isEmpty);
    assert.deepEqual(batch.take(), []);
});

test("PG15: inputs say which update the user had seen, once for each", () => {
    const { InputBatch } = loadPage();
    const batch = new InputBatch();
    batch.applied(1);
    batch.add(["scroll", 1, 0]);
    batch.applied(2);
    batch.add(["scroll", 2, 0]);
    batch.add(["scroll", 3, 0]);
    batch.add(["key", "End", ""]);
    batch.applied(3);
    batch.measure(7, 30);
    assert.deepEqual(batch.take(), [["seen", 1], ["seen", 2], ["scroll", 3, 0], ["key", "End", ""], ["seen", 3], ["measure", [[7, 30]]]]);
    batch.add(["scroll", 4, 0]);
    assert.deepEqual(batch.take(), [["scroll", 4, 0]]);
});

test("PG17: a length is reported once for each row, and again where the native side shows another one", () => {
    const { needsReport } = loadPage();
    const row = { number: 7, row: "0/3", length: 66, shown: 48 };
    assert.ok(needsReport(undefined, row));
    assert.ok(!needsReport(row, row), "the answer is on its way, or it is the native side's own limit");
    const answered = { ...row, shown: 66 };
    assert.ok(!needsReport(row, answered), "the answer");
    assert.ok(needsReport(answered, row), "the row has its estimate again");
    assert.ok(needsReport(answered, { ...answered, row: "0/9" }), "the element shows another row");
    assert.ok(needsReport(answered, { ...answered, number: 8 }));
    assert.ok(needsReport(answered, { ...answered, length: 83 }), "the text is longer now");
});

test("PG13: nodes are made for the window and one window of others, however long the user scrolls", () => {
    const { ElementPool, shapeOf } = loadPage();
    const pool = new ElementPool();
    const random = makeRandom(13);
    let shown = new Map();
    for (let jump = 0; jump < 2000; jump++) {
        const first = random(1000000), next = new Map();
        for (let row = first; row < first + 60; row++) {
            const element = { kind: "cell", columns: [[], []] };
            next.set(row, shown.get(row) ?? pool.take(shapeOf(element, "grid"), () => ({ shape: shapeOf(element, "grid") })));
        }
        for (const [row, element] of shown) if (!next.has(row)) pool.give(element);
        shown = next;
    }
    assert.ok(pool.created <= 120, "created " + pool.created);
    assert.ok(pool.reused > 100000);
});

test("PG13: elements of different parts have different shapes, and those that differ in texts have one", () => {
    const { shapeOf } = loadPage();
    const plain = { kind: "cell", text: [["a", "plain"]] };
    assert.equal(shapeOf(plain, "grid"), shapeOf({ ...plain, text: [], selected: true, indent: 8, mark: "inserted" }, "grid"));
    const shapes = [
        shapeOf(plain, "grid"), shapeOf(plain, "listbox"), shapeOf({ ...plain, kind: "header" }, "grid"),
        shapeOf({ ...plain, secondary: [] }, "grid"), shapeOf({ ...plain, columns: [[]] }, "grid"),
        shapeOf({ ...plain, columns: [[], []] }, "grid"), shapeOf({ ...plain, image: "*" }, "grid"),
        shapeOf({ ...plain, image: "data:image/png;base64,AA==" }, "grid"), shapeOf({ ...plain, folded: false }, "grid"),
        shapeOf({ ...plain, accessories: [["checkmark"]] }, "grid"), shapeOf({ ...plain, accessories: [["reorder"]] }, "grid"),
    ];
    assert.equal(new Set(shapes).size, shapes.length);
});

test("PG19: at most one announcement in two seconds, and none is lost between two", () => {
    const { Announcer } = loadPage();
    const said = [], timers = [];
    const announcer = new Announcer((text) => said.push(text), (run, milliseconds) => timers.push({ run, milliseconds }));
    const next = () => timers.shift().run();
    announcer.say("3 rows added");
    announcer.say("1 moved");
    announcer.say("2 removed");
    assert.deepEqual(said, ["3 rows added"]);
    assert.equal(timers[0].milliseconds, 2000);
    next();
    assert.deepEqual(said, ["3 rows added", "1 moved. 2 removed"]);
    next();
    assert.equal(timers.length, 0);
    announcer.say("");
    announcer.say("4 added");
    assert.equal(said.length, 3);
});

test("PG20: each key has one meaning", () => {
    const { meaningOf } = loadPage();
    const key = (name, held = "", typed = "") => meaningOf({
        key: name, isComposing: false, shiftKey: held.includes("s"), ctrlKey: held.includes("c"), altKey: held.includes("a"), metaKey: held.includes("m"),
    }, typed);
    assert.deepEqual(key("ArrowDown", "s"), { input: ["key", "ArrowDown", "s"] });
    assert.deepEqual(key("ArrowUp", "a"), { input: ["key", "ArrowUp", "a"] });
    assert.deepEqual(key("End", "c"), { input: ["key", "End", "c"] });
    assert.deepEqual(key("a", "c"), { input: ["select", "all"] });
    assert.deepEqual(key("A", "cs"), { input: ["select", "none"] });
    assert.deepEqual(key("*", "s"), { input: ["select", "invert"] });
    assert.deepEqual(key("c", "m"), { command: "copy" });
    assert.deepEqual(key("/"), { command: "search" });
    assert.deepEqual(key("/", "", "ab"), { command: "type", value: "/" });
    assert.deepEqual(key("?", "s"), { command: "help" });
    assert.deepEqual(key("j"), { command: "type", value: "j" });
    assert.deepEqual(key("\u00E9"), { command: "type", value: "\u00E9" });
    assert.deepEqual(key(" "), { input: ["key", " ", ""] });
    assert.deepEqual(key(" ", "", "new"), { command: "type", value: " " });
    assert.deepEqual(key("F3", "s"), { input: ["next", -1] });
    assert.deepEqual(key("PageUp", "a"), { input: ["key", "Tab", "s"] });
    assert.deepEqual(key("m", "a"), { input: ["key", "m", ""] });
    assert.deepEqual(key("F10", "s"), { command: "menu" });
    // The browser keeps these.
    for (const [name, held] of [["r", "c"], ["Tab", ""], ["F5", ""], ["l", "c"], ["d", "a"], ["c", "cs"]]) {
        assert.equal(key(name, held), undefined, held + name);
    }
    assert.equal(meaningOf({ key: "a", isComposing: true }, ""), undefined);
});

test("the speed of a scroll is that of its last tenth of a second, and none after a pause", () => {
    const { Velocity } = loadPage();
    const velocity = new Velocity();
    assert.equal(velocity.add(0, 0), 0);
    let speed = 0;
    for (let time = 16; time <= 160; time += 16) speed = velocity.add(time, time * 2);
    assert.equal(speed, 2000);
    for (let time = 176; time <= 480; time += 16) speed = velocity.add(time, 320 - (time - 160));
    assert.equal(speed, -1000);
    assert.equal(velocity.add(2000, 0), 0);
});

test("columns are as wide as nine of ten of their texts, and numbers are at the end", () => {
    const { measureColumns, gridTemplate, leastRoom } = loadPage();
    const text = (value) => [[value, "plain"]];
    const rows = [];
    for (let index = 0; index < 20; index++) rows.push([text("Name " + index), text(String(index * 1000.5)), text(index % 2 ? "12 %" : "-3,5"), text(index === 3 ? "x".repeat(500) : "short")]);
    const columns = measureColumns([text("Name"), text("Sum"), text("Share"), text("Note")], rows);
    assert.deepEqual(columns.map(({ isNumeric }) => isNumeric), [false, true, true, false]);
    assert.ok(columns.every(({ weight }) => weight >= 5 && weight <= 42));
    assert.ok(columns[3].weight < 12, "one long text makes a wide column");
    assert.equal(gridTemplate(columns).split(" minmax").length, 4);
    assert.equal(leastRoom([{ weight: 5 }, { weight: 42 }]), 14 + 40 + 16 + 64 + 14);
    assert.deepEqual(measureColumns([], []), []);
});

test("texts are the same if their runs and styles are", () => {
    const { isSameText } = loadPage();
    assert.ok(isSameText([["a", "plain"], ["b", "match"]], [["a", "plain"], ["b", "match"]]));
    assert.ok(!isSameText([["a", "plain"]], [["a", "strong"]]));
    assert.ok(!isSameText([["a", "plain"]], [["a", "plain"], ["", "plain"]]));
});

test("PG20: the bar has the number of rows, the row with the focus, and the number of marked rows", () => {
    const { countsText } = loadPage();
    const text = (...values) => countsText(...values).replaceAll(",", "");
    assert.equal(text([0, 0, 0, 0]), "0 rows");
    assert.equal(text([1, 1, 1, 0]), "1 row \u00B7 row 1 \u00B7 1 marked");
    assert.equal(text([7, 200000, 200000, 0]), "200000 rows \u00B7 row 7 \u00B7 200000 marked");
    assert.equal(text([0, 1, 0, 0], false), "1+ rows");
    assert.equal(text([0, 3, 5, 2]), "3 rows \u00B7 5 marked (2 hidden)");
});

test("characters without ink are shown as the symbols of a terminal, and others stay", () => {
    const { visibleText, originalIndex } = loadPage();
    for (const [text, shown] of [
        ["\u200F\u200F", "\u2194\u2194"], ["\u061Ca", "\u2194a"], ["\u202Eabc\u2066", "\u2194abc\u2194"],
        ["\u0000\u001B[31m\u007F", "\u2400\u241B[31m\u2421"], ["a\nb\tc\r", "a\u240Ab\u2409c\u240D"], ["\u0085\u009F", "\uFFFD\uFFFD"],
        ["\u2028\u2029", "\u2424\u2424"], ["\uFEFF\u00AD\u200B\u{E0001}", "\u00B7\u00B7\u00B7\u00B7"], ["\u0378", "\uFFFD"], ["\uD800", "\uFFFD"],
    ]) assert.equal(visibleText(text), shown, JSON.stringify(text));
    for (const text of ["", "caf\u00E9 \u4E2D \u05D0\u0628", "\u{1F468}\u200D\u{1F469}", "\u0646\u200C\u0645", "\u{1F3F4}\u{E0067}\u{E007F}", "\u06DD\u0661", "e\u0301", "\u2400\u2194"]) {
        assert.equal(visibleText(text), text);
    }
    assert.equal(visibleText("a\n\tb\u0000", true), "a\n\tb\u2400");
    const text = "x\u{E0001}y\u200F\u{1F600}z";
    assert.deepEqual([0, 1, 2, 3, 4, 6, 7].map((index) => originalIndex(text, index)), [0, 1, 3, 4, 5, 7, 8]);
});

test("V15: of more index titles than there is room for, those at equal distances are shown, with the first and the last", () => {
    const { titlesThatFit } = loadPage();
    const titles = Array.from({ length: 240 }, (_, index) => ["t" + index, index]);
    assert.deepEqual(titlesThatFit(titles.slice(0, 40), 600), titles.slice(0, 40));
    const fitting = titlesThatFit(titles, 600);
    assert.equal(fitting.length, 40);
    assert.deepEqual([fitting[0], fitting[39]], [titles[0], titles[239]]);
    const distances = fitting.slice(1).map(([, section], index) => section - fitting[index][1]);
    assert.ok(Math.max(...distances) - Math.min(...distances) <= 1, "the distances are " + distances);
    assert.equal(titlesThatFit(titles, 0).length, 2);
    assert.deepEqual(titlesThatFit([], 600), []);
});

// The page's bundle over functions of a browser that the test has.
function loadPageWith(parts) {
    const names = Object.keys(parts), bundles = { browser: {} };
    evaluate("(" + names.join(", ") + ") => (" + sources["page_view.js"] + "\n)")(...names.map((name) => parts[name]))({}, bundles);
    return bundles.page_view;
}

// Timers that a test runs.
function makeTimers() {
    const timers = [];
    return {
        timers,
        window: {
            setTimeout(callback) { return timers.push(callback); },
            clearTimeout(id) { if (id !== undefined) timers[id - 1] = () => {}; },
        },
        runAll() { return Promise.all(timers.splice(0).map((callback) => callback())); },
    };
}

test("PG7: a state is saved also while the view changes all the time, and one that leads to no update is not offered for ever", async () => {
    const { timers, window, runAll } = makeTimers();
    const stored = new Map();
    const sessionStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, text) };
    const { SavedState } = loadPageWith({ window, sessionStorage });
    let count = 0;
    const state = new SavedState(async () => "state " + ++count);
    for (let round = 0; round < 5; round++) state.changed();
    assert.equal(timers.length, 1);
    await runAll();
    assert.deepEqual([...stored.values()], ["state 1"]);
    state.changed();
    assert.equal(timers.length, 1);
    assert.deepEqual([state.offer(), state.offer(), state.offer()], ["state 1", "state 1", undefined]);
    state.accepted();
    assert.equal(state.offer(), "state 1");
    const forbidden = loadPageWith({ window, sessionStorage: { getItem() { throw new Error("forbidden"); } } });
    assert.equal(new forbidden.SavedState(async () => "").offer(), undefined);
});

test("PG21: scrolls and moves of a drag at an edge are two inputs, however often they alternate", () => {
    const { InputBatch } = loadPage();
    const batch = new InputBatch();
    batch.add(["drag", "begin", 7, 0, 0]);
    for (let step = 0; step < 1000; step++) {
        batch.add(["scroll", step, 100]);
        batch.add(["drag", "move", 7, 0, step]);
    }
    assert.deepEqual(batch.take(), [["drag", "begin", 7, 0, 0], ["scroll", 999, 100], ["drag", "move", 7, 0, 999]]);
    // A key between two scrolls was pressed at the first place.
    batch.add(["scroll", 1, 0]);
    batch.add(["key", "j", ""]);
    batch.add(["scroll", 2, 0]);
    assert.equal(batch.take().length, 3);
});

test("PG17: a list of inputs fits into a message, and nothing is lost or in another order", () => {
    const { InputBatch } = loadPage();
    const batch = new InputBatch(), keys = [], lengths = [];
    batch.applied(1);
    for (let number = 0; number < 5000; number++) {
        batch.add(["key", "\u00E9" + number, ""]);
        batch.measure(number, number / 3);
    }
    while (!batch.isEmpty) {
        const inputs = batch.take();
        assert.ok(inputs.length > 0);
        assert.ok(JSON.stringify(inputs).length * 3 < 65536);
        for (const input of inputs) {
            if (input[0] === "key") keys.push(input[1]);
            else if (input[0] === "measure") {
                assert.equal(keys.length, 5000, "lengths are last");
                lengths.push(...input[1]);
            }
        }
    }
    assert.deepEqual(keys, Array.from({ length: 5000 }, (_, number) => "\u00E9" + number));
    assert.deepEqual(lengths.map(([number]) => number), Array.from({ length: 5000 }, (_, number) => number));
});

test("PG23: without a connection, inputs are those of no view; a question comes after the inputs before it", async () => {
    const { InputSender } = loadPage();
    const notice = { waits() {}, answered() {} }, calls = [], answers = [];
    const bridge = { callHandler(name, data) { calls.push(data); return new Promise((answer) => answers.push(answer)); } };
    const sender = new InputSender(notice, () => {}, () => {});
    sender.add(["key", "j", ""]);
    sender.measure(7, 20);
    assert.ok(sender.batch.isEmpty);
    sender.begin(bridge);
    sender.add(["key", "a", ""]);
    const first = sender.flush();
    sender.add(["key", "b", ""]);
    sender.flush();
    assert.equal(calls.length, 1, "one batch at a time");
    const second = sender.flush(true);
    assert.deepEqual(calls, [[["key", "a", ""]], [["key", "b", ""]]]);
    for (const answer of answers) answer(null);
    await Promise.all([first, second]);
    sender.add(["key", "c", ""]);
    sender.flush();
    assert.equal(calls.length, 3);
});

test("PG17: the length of an element that is gone or shows another row is not sent", () => {
    const observed = [];
    class ResizeObserver {
        constructor(callback) { this.callback = callback; observed.push(this); }
        observe() {}
        unobserve() {}
    }
    const { InputBatch, Measuring } = loadPageWith({ ResizeObserver });
    const batch = new InputBatch();
    const measuring = new Measuring((number, length) => { batch.measure(number, length); }, (number) => { batch.forget(number); });
    const shown = (n) => ({ box: { n }, data: { n, path: [0, n], frame: [0, 0, 100, 20], measured: true } });
    const measure = (...elements) => {
        observed[0].callback(elements.map(({ box }) => ({ target: box, borderBoxSize: [{ blockSize: 30, inlineSize: 100 }] })));
    };
    const [first, second, third] = [shown(1), shown(2), shown(3)];
    for (const each of [first, second, third]) measuring.follow(each);
    measure(first, second, third);
    measuring.unfollow(first);
    second.data = { ...second.data, path: [0, 9] };
    measuring.follow(second);
    measuring.follow(third);
    assert.deepEqual(batch.take(), [["measure", [[3, 30]]]]);
});

test("PG23: what is wrong with the view stays until the view is shown, also when the server answers", () => {
    const { window, runAll } = makeTimers();
    const { ServerNotice } = loadPageWith({ window });
    let text = "";
    const notice = new ServerNotice((next) => { text = next; });
    notice.fails("no view");
    assert.equal(text, "no view");
    notice.waits();
    runAll();
    notice.answered();
    assert.equal(text, "no view");
    notice.recovers();
    assert.equal(text, "");
    notice.waits("slow");
    runAll();
    assert.equal(text, "slow");
    notice.answered();
    assert.equal(text, "");
});

test("PG20: characters that AltGr or Option make are characters", () => {
    const { meaningOf } = loadPage();
    const event = (key, held, states = "", code = "") => ({
        key, code, isComposing: false, shiftKey: false, ctrlKey: held.includes("c"), altKey: held.includes("a"), metaKey: false,
        getModifierState: (name) => name === states,
    });
    assert.deepEqual(meaningOf(event("[", "ca"), ""), { input: ["key", "[", ""] });
    assert.deepEqual(meaningOf(event("[", "", "AltGraph"), ""), { input: ["key", "[", ""] });
    assert.deepEqual(meaningOf(event("@", "ca", "AltGraph"), ""), { command: "type", value: "@" });
    assert.deepEqual(meaningOf(event("ArrowDown", "ca"), ""), { input: ["key", "ArrowDown", "ca"] });
    assert.equal(meaningOf(event("d", "a"), ""), undefined);
    const mac = loadPageWith({ navigator: { platform: "MacIntel" } });
    assert.deepEqual(mac.meaningOf(event("[", "a", "", "Digit5"), ""), { input: ["key", "[", ""] });
    assert.deepEqual(mac.meaningOf(event("\u00B5", "a", "", "KeyM"), ""), { input: ["key", "m", ""] });
});

test("PG20: where text runs from right to left, the arrows fold in its direction", () => {
    const { columnAfter, meaningOf } = loadPage();
    const event = { key: "ArrowLeft", isComposing: false, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };
    assert.deepEqual(meaningOf(event, "", false), { input: ["key", "ArrowLeft", ""] });
    assert.deepEqual(meaningOf(event, "", true), { input: ["key", "ArrowRight", ""] });
    assert.equal(columnAfter("ArrowLeft", 1, 3, false), 0);
    assert.equal(columnAfter("ArrowLeft", 1, 3, true), 2);
    assert.equal(columnAfter("ArrowRight", 2, 3, false), 2);
    assert.equal(columnAfter("End", 0, 3, false), 2);
    assert.equal(columnAfter("a", 0, 3, false), undefined);
});

test("PG14: the longest ascent is as long as the longest of all that there are", () => {
    const { longestAscent } = loadPage();
    let seed = 7;
    const random = count => { seed = (seed * 48271) % 2147483647; return seed % count; };
    const longest = numbers => {
        let best = 0;
        for (let bits = 0; bits < 1 << numbers.length; bits++) {
            const part = numbers.filter((_, place) => bits >> place & 1);
            if (part.every((number, place) => place === 0 || part[place - 1] < number)) best = Math.max(best, part.length);
        }
        return best;
    };
    for (let round = 0; round < 300; round++) {
        const numbers = Array.from({ length: random(10) }, (_, place) => place);
        for (let place = numbers.length - 1; place > 0; place--) {
            const other = random(place + 1);
            [numbers[place], numbers[other]] = [numbers[other], numbers[place]];
        }
        const places = longestAscent(numbers);
        const part = numbers.filter((_, place) => places.has(place));
        assert.deepEqual([...part].sort((a, b) => a - b), part, String(numbers));
        assert.equal(part.length, longest(numbers), String(numbers));
    }
    // A scroll by two rows moves two of a window.
    const window = [64, 65, ...Array.from({ length: 64 }, (_, place) => place)];
    assert.equal(longestAscent(window).size, 64);
});
