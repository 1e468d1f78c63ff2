// The view of a page: it joins the parts. Native code decides what is shown; the page scrolls, measures and listens.
import { Announcer } from "./announcer.js";
import { ChartsPanel } from "./charts_panel.js";
import { ColumnHeader } from "./column_header.js";
import { countsText } from "./counts_text.js";
import { DetailsPanel } from "./details_panel.js";
import { DropTarget } from "./drop_target.js";
import { IndexStrip } from "./index_strip.js";
import { InputSender } from "./input_sender.js";
import { setAttribute } from "./nodes.js";
import { RowLayer } from "./row_layer.js";
import { SavedState } from "./saved_state.js";
import { SearchFields } from "./search_fields.js";
import { ServerNotice } from "./server_notice.js";
import { followUpdates } from "./update_stream.js";
import { Velocity } from "./velocity.js";
import { Viewport } from "./viewport.js";
import { visibleText } from "./visible_text.js";

// The time for which a message stays.
const messageTime = 4000;

export class PageView {
    nodes;
    viewport;
    rows;
    sender;
    fields;
    details;
    #charts;
    drops;
    /** @type {PageInfo | undefined} */
    info;
    /** @type {Counts | undefined} */
    #counts;
    #notice;
    #announcer;
    #columns;
    #index;
    #state;
    #velocity = new Velocity();
    #version = 0;
    #isFirst = true;
    // Called when the connection has brought an update.
    #works = () => {};
    #isRequested = false;
    /** @type {number | undefined} */
    #messageTimer;
    /** @type {PageStream | undefined} */
    #stream;

    constructor(/** @type {ReturnType<import("./page_nodes.js").findNodes>} */ nodes) {
        this.nodes = nodes;
        const add = (/** @type {PageInput} */ input) => { this.sender.add(input); };
        this.#notice = new ServerNotice((text) => {
            nodes.notice.textContent = text;
            nodes.notice.hidden = text === "";
        });
        this.#announcer = new Announcer((text) => { nodes.live.textContent = visibleText(text); }, (run, time) => { window.setTimeout(run, time); });
        this.sender = new InputSender(this.#notice, (text) => { this.say(text); }, () => { this.request(); });
        this.viewport = new Viewport(nodes.scroller, nodes.spacer);
        this.rows = new RowLayer(nodes.rows, (number, length) => { this.sender.measure(number, length); }, (number) => { this.sender.batch.forget(number); });
        this.#columns = new ColumnHeader(nodes, (kind, column) => { add([kind, column]); }, () => { nodes.grid.focus(); });
        this.#index = new IndexStrip(nodes.index, (section) => { add(["jump", section]); });
        this.fields = new SearchFields(nodes, add, () => { nodes.grid.focus(); });
        this.details = new DetailsPanel(
            { panel: nodes.details, body: nodes.detailsBody, button: nodes.detailsButton },
            (number) => this.askAbout("view.details", number),
        );
        this.#charts = new ChartsPanel({ panel: nodes.charts, body: nodes.chartsBody, button: nodes.chartsButton });
        this.drops = new DropTarget(this);
        this.#state = new SavedState(() => this.call("view.saveState", null));
        document.addEventListener("visibilitychange", () => { this.#sendVisibility(); });
        this.#readDirection();
        new ResizeObserver(() => { this.#resized(); }).observe(nodes.scroller);
        nodes.scroller.addEventListener("scroll", () => { this.#scrolled(); }, { passive: true });
        nodes.scroller.addEventListener("scrollend", () => {
            // Firefox may send it before the last event of the scroll, which then says nothing new.
            this.#scrolled();
            this.viewport.scrollEnded();
            this.#state.changed();
        });
    }

    #readDirection() {
        const isRightToLeft = getComputedStyle(document.documentElement).direction === "rtl";
        this.viewport.isRightToLeft = this.rows.places.isRightToLeft = isRightToLeft;
    }

    // ------------------------------------------------------------ the connection

    // Calls a handler of the native side; without a connection the call fails.
    call(/** @type {string} */ name, /** @type {unknown} */ data) {
        const { bridge } = this.sender;
        return bridge === undefined ? Promise.reject(new Error("The server is not connected.")) : bridge.callHandler(name, data);
    }

    // Asks about a row, after the inputs so far, and with the update that the user sees.
    askAbout(/** @type {string} */ name, /** @type {number} */ number) {
        this.sender.flush(true);
        return this.call(name, { view: number, seen: this.sender.batch.lastApplied });
    }

    async opened(/** @type {PageBridge} */ bridge, /** @type {() => void} */ works) {
        this.sender.begin(bridge);
        this.drops.serve(bridge);
        this.#isFirst = true;
        this.#works = works;
        this.#notice.recovers();
        const { width, height } = this.viewport;
        this.#notice.waits();
        const state = this.#state.offer();
        const request = { protocol: 1, width, height, ...(state === undefined ? {} : { state }) };
        const stream = bridge.openStream("view.open", request, { window: 1 });
        this.#stream = stream;
        if (document.hidden) this.#sendVisibility();
        try {
            await followUpdates(stream, (update) => { this.apply(update); }, () => this.#stream === stream);
            if (this.#stream === stream) this.#notice.fails("The server has ended this view. Load the page again to continue.");
        } catch (error) {
            if (this.#stream !== stream || /** @type {any} */ (error).code === "disconnected") return;
            this.#notice.fails("The server cannot show this view. " + /** @type {Error} */ (error).message);
        }
    }

    lost(/** @type {{ wasOpen: boolean, attempts: number }} */ state) {
        this.#stream = undefined;
        this.sender.begin(undefined);
        this.drops.stop();
        this.#state.stop();
        this.#notice.lost(state);
    }

    // A hidden page takes no updates, and has no frames in which inputs are sent.
    #sendVisibility() {
        this.sender.add(["hidden", document.hidden]);
        this.sender.flush(true);
    }

    // ------------------------------------------------------------ updates

    apply(/** @type {PageUpdate} */ update) {
        const { viewport, rows, nodes } = this;
        const isFirst = this.#isFirst || update.reset === true;
        if (this.#isFirst && this.#version !== 0) this.#announcer.say("Connected again, the rows were loaded again");
        if (this.#isFirst) {
            rows.clear();
            this.#works();
            this.#state.accepted();
        }
        // A scroll whose event has not come yet was made on what is shown now.
        if (!isFirst) this.#scrolled();
        this.sender.batch.applied(update.sequence);
        this.#isFirst = false;
        this.#version = update.version;
        this.#notice.recovers();
        this.#notice.answered();
        if (update.info !== undefined) this.#showInfo(update.info);
        if (update.counts !== undefined) this.#counts = update.counts;
        if (this.#counts !== undefined) nodes.counts.textContent = countsText(this.#counts, this.info?.isComplete);
        if (update.charts !== undefined || isFirst) this.#charts.show(update.charts ?? []);
        const { content } = update;
        const isVertical = content === undefined ? viewport.isVertical : content.direction === "vertical";
        rows.places.isVertical = rows.measuring.isVertical = isVertical;
        this.#columns.turn(isVertical);
        rows.apply(update, () => viewport.box, () => {
            if (content !== undefined) viewport.take(content, isFirst);
            rows.placeAll(viewport.offset);
        });
        if (isFirst || content !== undefined && content.adjustment !== 0) this.#velocity.clear();
        this.#columns.measure(rows.shown.values());
        setAttribute(nodes.grid, "aria-activedescendant", rows.activeId);
        this.#showGaps();
        if (update.active !== undefined || update.elements?.some(({ n }) => n === rows.active) === true) this.details.show(rows.active);
        if (update.drop !== undefined) this.drops.show(update.drop);
        if (update.message !== undefined && update.message !== "") this.say(update.message);
        if (update.announcement !== undefined) this.#announcer.say(update.announcement);
        this.#state.changed();
    }

    #showInfo(/** @type {PageInfo} */ info) {
        const { nodes, rows } = this;
        const rowsBefore = (info.header ?? []).length > 0 ? 1 : 0;
        rows.become(info.role, rowsBefore);
        rows.setCount(info.rowCount);
        if (this.info?.title !== info.title) this.#columns.forgetWidths();
        this.info = info;
        nodes.title.textContent = document.title = visibleText(info.title);
        nodes.status.textContent = visibleText(info.status);
        nodes.grid.setAttribute("role", info.role);
        nodes.grid.setAttribute("aria-label", visibleText(info.title));
        const isList = info.role === "listbox";
        setAttribute(nodes.grid, "aria-rowcount", isList ? undefined : String(info.rowCount < 0 ? -1 : info.rowCount + rowsBefore));
        setAttribute(nodes.grid, "aria-colcount", isList ? undefined : String(Math.max(1, info.columnCount)));
        // Options are children of their list, which a group of rows must not separate from it.
        nodes.rows.setAttribute("role", isList ? "presentation" : "rowgroup");
        nodes.grid.classList.toggle("can-reorder", info.canReorder === true);
        setAttribute(nodes.grid, "aria-multiselectable", info.isMultiple === true ? "true" : undefined);
        this.#columns.show(info);
        this.#index.show(info.indexTitles);
        this.fields.show(info);
    }

    // Shows a sentence for some seconds.
    say(/** @type {string} */ text) {
        const { toast } = this.nodes;
        toast.textContent = visibleText(text);
        toast.hidden = false;
        window.clearTimeout(this.#messageTimer);
        this.#messageTimer = window.setTimeout(() => { toast.hidden = true; }, messageTime);
    }

    // ------------------------------------------------------------ scrolling

    #scrolled() {
        const moves = this.viewport.scrolled();
        if (!moves) return;
        this.#moved();
    }

    // Moves the view by the page itself, as a scroll of the user: a drag at an edge.
    scrollBy(/** @type {number} */ distance) {
        const before = this.viewport.offset;
        this.viewport.moveTo(before + distance);
        if (this.viewport.offset !== before) this.#moved();
    }

    #moved() {
        const { offset } = this.viewport;
        const velocity = this.#velocity.add(performance.now(), offset);
        this.rows.scroll(offset);
        this.#showGaps();
        this.sender.add(["scroll", offset, velocity]);
    }

    // Placeholders are behind the rows, and are seen where there are none (PG23).
    #showGaps() {
        const { viewport, nodes, rows } = this;
        const from = viewport.offset, to = Math.min(viewport.map.content, from + viewport.length);
        const isGap = this.info?.fillsSpace === true && to > from && !rows.covers(from, to);
        if (nodes.ghost.hidden === isGap) nodes.ghost.hidden = !isGap;
        if (isGap) nodes.ghost.style.backgroundPositionY = -(from % 32) + "px";
    }

    #resized() {
        this.#readDirection();
        this.#columns.resized();
        this.viewport.resize();
        const { width, height } = this.viewport;
        this.sender.add(["resize", width, height]);
    }

    // ------------------------------------------------------------ frames

    // Asks for an animation frame, in which the inputs are sent.
    request() {
        if (this.#isRequested) return;
        this.#isRequested = true;
        requestAnimationFrame(() => {
            this.#isRequested = false;
            this.sender.flush();
        });
    }
}
