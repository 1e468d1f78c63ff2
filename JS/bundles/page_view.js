// Made from JS/src/page_view by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    keepConnected,
} = bundles.browser;
// page_view/visible_text.js
const inkless = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]|(?![\u200C\u200D\u{E0020}-\u{E007F}\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])\p{Cf}|(?![\u{1F000}-\u{1FAFF}])\p{Cn}|\p{Cs}/gu;
const bidirectional = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
function symbolOf(character) {
    const code = (character.codePointAt(0));
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7F) return "\u2421";
    if (code === 0x2028 || code === 0x2029) return "\u2424";
    if (bidirectional.test(character)) return "\u2194";
    return /\p{Cf}/u.test(character) ? "\u00B7" : "\uFFFD";
}
function visibleText(text, keepsLines = false) {
    return text.replace(inkless, (character) => keepsLines && (character === "\n" || character === "\t") ? character : symbolOf(character));
}
function originalIndex(text, index) {
    let original = 0, shown = 0;
    for (const character of text) {
        if (shown >= index) break;
        original += character.length;
        shown += visibleText(character, true).length;
    }
    return original;
}
// page_view/styled_text.js
const classes = new Map([
    ["strong", "strong"], ["secondary", "faint"], ["match", "match"], ["failure", "failure"], ["accent", "accent"],
    ["inserted", "inserted"], ["deleted", "deleted"], ["moved", "moved"], ["updated", "updated"],
]);
function classOf(style) { return classes.get(style); }
function plainText(text) {
    return (text ?? []).map(([run]) => run).join("");
}
function isSameText(left, right) {
    if (left === right) return true;
    if (left.length !== right.length) return false;
    return left.every(([text, style], index) => text === right[index][0] && style === right[index][1]);
}
const originals = new WeakMap();
function originalText(node) { return (originals.get(node)); }
function fill(node, text, keepsLines) {
    const visible = visibleText(text, keepsLines);
    if (visible === text) originals.delete(node);
    else originals.set(node, text);
    if (node.data !== visible) node.data = visible;
    return node;
}
function showText(node, text, keepsLines = false) {
    const make = (run) => fill(document.createTextNode(""), run, keepsLines);
    if (text.length === 1 && classOf(text[0][1]) === undefined) {
        const [only] = node.childNodes;
        if (node.childNodes.length === 1 && only instanceof Text) fill(only, text[0][0], keepsLines);
        else node.replaceChildren(make(text[0][0]));
        return;
    }
    node.replaceChildren(...text.map(([run, style]) => {
        const name = classOf(style);
        if (name === undefined) return make(run);
        const span = document.createElement(name === "match" ? "mark" : "span");
        span.className = name;
        span.append(make(run));
        return span;
    }));
}
// page_view/clipboard.js
async function copyRows(ask) {
    const { text, tsv, message } = await ask();
    if (text === "") return message;
    let isDone = false;
    const fill = (event) => {
        if (event.clipboardData === null) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        event.clipboardData.setData("text/plain", text);
        event.clipboardData.setData("text/tab-separated-values", tsv);
        isDone = true;
    };
    document.addEventListener("copy", fill, true);
    try { document.execCommand("copy"); } finally { document.removeEventListener("copy", fill, true); }
    if (!isDone) await navigator.clipboard.writeText(text);
    return message;
}
function copyOriginals(body) {
    document.addEventListener("copy", (event) => {
        const selection = document.getSelection();
        if (event.clipboardData === null || selection === null || selection.isCollapsed) return;
        const shown = shownInstead(body, selection);
        if (shown.length === 0) return;
        event.clipboardData.setData("text/plain", selectedOriginal(selection, shown));
        event.preventDefault();
    });
}
function shownInstead(body, selection) {
    const nodes = [];
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (originalText(node) !== undefined && selection.containsNode(node, true)) nodes.push((node));
    }
    return nodes;
}
function selectedOriginal(selection, nodes) {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    const texts = nodes.map((node) => node.data);
    const select = (offsetIn) => {
        if (anchorNode === null || focusNode === null) return;
        selection.setBaseAndExtent(anchorNode, offsetIn(anchorNode, anchorOffset), focusNode, offsetIn(focusNode, focusOffset));
    };
    for (const node of nodes) node.data = originalText(node) ?? node.data;
    select((node, offset) => {
        const text = originalText(node);
        return text === undefined ? offset : originalIndex(text, offset);
    });
    const text = String(selection);
    for (const [index, node] of nodes.entries()) node.data = texts[index];
    select((_, offset) => offset);
    return text;
}
// page_view/drag_types.js
const prefix = "application/x-jsbridge-drag.", suffix = "+json";
function typeOfDrag(name) { return prefix + name + suffix; }
function isTypeOfDrag(type) { return type.startsWith(prefix) && type.endsWith(suffix); }
function makeDragName() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
function offerOf({ types, items }) {
    const files = Array.from(items).filter(({ kind }) => kind === "file").map(({ type }) => type);
    return { types: types.filter((type) => type !== "Files"), files };
}
// page_view/drag_source.js
class DragSource {
    #view;
    #pressed;
    constructor(view) {
        this.#view = view;
        const { scroller } = view.nodes;
        scroller.addEventListener("pointerdown", (event) => { this.#press(event); }, true);
        scroller.addEventListener("dragstart", (event) => { this.#begin(event); });
        scroller.addEventListener("dragend", ({ dataTransfer }) => { this.#end(dataTransfer?.dropEffect ?? "none"); });
        document.addEventListener("pointerup", () => { if (this.#pressed?.isDragged === false) this.#end("none"); });
    }
    get isDragging() { return this.#pressed?.isDragged === true; }
    #press(event) {
        const { info, rows } = this.#view;
        if (event.button !== 0 || !event.isPrimary) return;
        this.#end("none");
        const shown = rows.elementOf(event.target);
        if (shown === undefined) return;
        const isOnHandle = event.target instanceof Element && event.target.closest(".reorder") !== null;
        const isOut = info?.canDrag === true && (info.dragsRows === true || event.altKey) && !isOnHandle;
        const isDraggable = isOut && shown.data.kind === "cell" && event.pointerType === "mouse";
        shown.node.draggable = isDraggable;
        if (isDraggable) this.#prepare({ name: makeDragName(), shown, isDragged: false });
    }
    async #prepare(pressed) {
        this.#pressed = pressed;
        const { sender } = this.#view;
        sender.flush(true);
        try {
            const request = { view: pressed.shown.data.n, seen: sender.batch.lastApplied, name: pressed.name };
            pressed.data = await this.#view.call("view.drag", request);
        } catch (error) {
            pressed.failure = (error).message;
        }
    }
    #begin(event) {
        const pressed = this.#pressed;
        if (pressed === undefined || event.dataTransfer === null) return;
        if (pressed.failure !== undefined) {
            event.preventDefault();
            this.#view.say(pressed.failure);
            return;
        }
        pressed.isDragged = true;
        const { dataTransfer } = event;
        const data = pressed.data === undefined ? shownText(pressed.shown.data) : pressed.data;
        if (data !== null) {
            dataTransfer.setData("text/plain", data.text);
            dataTransfer.setData("text/tab-separated-values", data.tsv);
        }
        dataTransfer.setData(typeOfDrag(pressed.name), "{}");
        dataTransfer.effectAllowed = "copyMove";
        this.#view.rows.lift(pressed.shown.data.n);
    }
    #end(effect) {
        const pressed = this.#pressed;
        if (pressed === undefined) return;
        this.#pressed = undefined;
        pressed.shown.node.draggable = false;
        if (pressed.isDragged) this.#view.rows.lift(null);
        this.#view.sender.add(["dragEnd", pressed.name, effect]);
        this.#view.sender.flush(true);
    }
    stop() { this.#pressed = undefined; }
}
function shownText({ text, columns, secondary }) {
    const fields = columns ?? (secondary === undefined ? [text] : [text, secondary]);
    const texts = fields.map((field) => plainText(field).replace(/[\t\r\n]/g, " "));
    return { text: texts.join("  "), tsv: texts.join("\t") };
}
// page_view/modifiers.js
function modifiersOf(event) {
    const hides = "key" in event && isMadeByAlt(event);
    return (event.shiftKey ? "s" : "") + (event.ctrlKey && !hides ? "c" : "") + (event.altKey && !hides ? "a" : "") + (event.metaKey ? "m" : "");
}
function isMadeByAlt(event) {
    if ([...event.key].length !== 1 || !event.altKey && !event.getModifierState?.("AltGraph")) return false;
    return event.ctrlKey || isMac() || event.getModifierState?.("AltGraph") === true;
}
function isMac() { return typeof navigator === "object" && navigator.platform.startsWith("Mac"); }
function isCommand(event) {
    return (event.ctrlKey || event.metaKey) && !event.altKey && !isMadeByAlt(event);
}
// page_view/key_input.js
const sent = new Set([
    "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", " ", "Enter", "Escape", "[", "]",
]);
const mirrored = new Map([["ArrowLeft", "ArrowRight"], ["ArrowRight", "ArrowLeft"]]);
const plainCommands = new Map([["/", "search"], ["?", "help"], ["ContextMenu", "menu"]]);
const controlCommands = new Map([["f", "search"], ["i", "details"]]);
function meaningOf(event, typed, isRightToLeft = false) {
    const { key } = event;
    if (event.isComposing) return undefined;
    if (isCommand(event)) return meaningOfCommand(event);
    const alt = event.altKey && !isMadeByAlt(event);
    if (event.altKey && !event.ctrlKey && (key.toLowerCase() === "m" || event.code === "KeyM")) return { input: ["key", "m", ""] };
    if (event.altKey && key === "PageDown") return { input: ["key", "Tab", ""] };
    if (event.altKey && key === "PageUp") return { input: ["key", "Tab", "s"] };
    if (key === "F3") return { input: ["next", event.shiftKey ? -1 : 1] };
    if (key === "F10" && event.shiftKey) return { command: "menu" };
    if (typed === "" && !alt && plainCommands.has(key)) return { command: (plainCommands.get(key)) };
    if (typed === "" && key === "*") return { input: ["select", "invert"] };
    if (sent.has(key) && !(key === " " && typed !== "")) return { input: ["key", isRightToLeft ? mirrored.get(key) ?? key : key, modifiersOf(event)] };
    if ([...key].length === 1 && !alt) return { command: "type", value: key };
    return undefined;
}
function meaningOfCommand(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "a") return { input: ["select", event.shiftKey ? "none" : "all"] };
    if (key === "g") return { input: ["next", event.shiftKey ? -1 : 1] };
    if (key === "c" && !event.shiftKey) return { command: "copy" };
    const command = event.shiftKey ? undefined : controlCommands.get(key);
    if (command !== undefined) return { command };
    return sent.has(key) ? { input: ["key", key, modifiersOf(event)] } : undefined;
}
const keyHelp = [
    ["\u2191 \u2193", "Move the focus; with Shift, extend the selection; with Alt, move the row"],
    ["Page Up, Page Down", "Move by a screen"],
    ["Home, End", "First and last row"],
    ["\u2190 \u2192", "Close and open a group"],
    ["Space", "Mark the row"],
    ["Enter", "Open the row and its details"],
    ["Letters", "Go to the row that begins with them"],
    ["/ or Ctrl+F", "Search"],
    ["F3, Shift+F3", "Next and previous match"],
    ["Ctrl+A", "Mark all rows; with Shift, none"],
    ["*", "Invert the marks"],
    ["Ctrl+C", "Copy the marked rows as text and as a table"],
    ["Ctrl+I", "Show or hide the details"],
    ["Alt+M", "Move the row with the arrows; Enter drops it, Escape cancels"],
    ["Shift+F10", "Menu of the row"],
    ["[ ]", "Fold and unfold the section"],
    ["Alt+Page Up, Alt+Page Down", "Previous and next section"],
    ["Click on a title", "Sort by the column; with Shift, group by it"],
    ["Tab, \u2190 \u2192, Enter", "Choose a title and sort by its column; with Shift, group by it"],
    ["Escape", "End a search, then a filter; close the details"],
    ["?", "This help"],
];
// page_view/nodes.js
function make(
    tag, className, attributes = {},
    ...children
) {
    const node = document.createElement(tag);
    if (className !== "") node.className = className;
    for (const name of Object.keys(attributes)) {
        const value = attributes[name];
        if (value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
}
function setAttribute(node, name, value) {
    if (value === undefined) {
        if (node.hasAttribute(name)) node.removeAttribute(name);
    } else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
function byId(id) {
    const node = document.getElementById(id);
    if (node === null) throw new Error(`The page has no element "${id}".`);
    return node;
}
const idOfElement = (number) => "e" + number;
// page_view/row_dragging.js
const threshold = 5, edge = 48, fastest = 24;
class RowDragging {
    #context;
    #pressed;
    #isLifted = false;
    #last;
    #onKey;
    hidesClick = false;
    constructor(context) {
        this.#context = context;
        const { grid } = context;
        grid.addEventListener("pointerdown", (event) => { this.#press(event); });
        grid.addEventListener("pointermove", (event) => { this.#move(event); });
        grid.addEventListener("pointerup", () => { this.#end("end"); });
        grid.addEventListener("pointercancel", () => { this.#end("cancel"); });
        this.#onKey = (event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            event.stopPropagation();
            this.#end("cancel");
        };
    }
    #press(event) {
        this.hidesClick = false;
        const { canDrag, elementOf } = this.#context;
        if (event.button !== 0 || !event.isPrimary || !canDrag()) return;
        const shown = elementOf(event.target);
        if (shown === undefined || shown.data.kind !== "cell" || shown.node.draggable) return;
        const isOnHandle = event.target instanceof Element && event.target.closest(".reorder") !== null;
        if (event.pointerType === "touch" && !isOnHandle) return;
        this.#pressed = { id: event.pointerId, shown, number: shown.data.n, x: event.clientX, y: event.clientY };
    }
    #move(event) {
        const pressed = this.#pressed;
        if (pressed === undefined || event.pointerId !== pressed.id) return;
        if (!this.#isLifted) {
            if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < threshold) return;
            this.#lift(pressed, event);
        }
        this.#last = event;
        this.#follow();
        this.#send("move");
    }
    #lift({ shown, id }, event) {
        const { grid, preview, lift } = this.#context;
        this.#isLifted = true;
        this.#last = event;
        grid.setPointerCapture(id);
        const copy = (shown.node.cloneNode(true));
        copy.removeAttribute("id");
        copy.style.transform = "";
        preview.replaceChildren(copy);
        preview.hidden = false;
        grid.classList.add("is-dragging");
        lift(shown.data.n);
        document.addEventListener("keydown", this.#onKey, true);
        this.#send("begin");
        requestAnimationFrame(this.#scrollAtEdges);
    }
    #follow() {
        const pressed = this.#pressed, last = this.#last;
        if (pressed === undefined || last === undefined) return;
        const { preview, viewport } = this.#context;
        const box = viewport.box;
        const size = pressed.shown.data.frame;
        const x = viewport.isVertical ? box.left : last.clientX - size[2] / 2;
        const y = viewport.isVertical ? last.clientY - size[3] / 2 : box.top;
        preview.style.transform = `translate(${x}px, ${y}px)`;
    }
    #send(phase) {
        if (this.#pressed === undefined || this.#last === undefined) return;
        const { x, y } = this.#context.viewport.pointOf(this.#last);
        this.#context.add(["drag", phase, this.#pressed.number, x, y]);
    }
    #scrollAtEdges = () => {
        if (!this.#isLifted || this.#last === undefined) return;
        const { viewport, scrollBy } = this.#context;
        const box = viewport.box;
        const [start, end, at] = viewport.isVertical
            ? [box.top, box.bottom, this.#last.clientY] : [box.left, box.right, this.#last.clientX];
        const before = Math.max(0, start + edge - at), after = Math.max(0, at - (end - edge));
        const speed = Math.min(1, Math.max(before, after) / edge) * fastest;
        if (speed > 0) {
            const sign = (before > 0 ? -1 : 1) * (!viewport.isVertical && viewport.isRightToLeft ? -1 : 1);
            scrollBy(sign * speed);
            this.#send("move");
        }
        requestAnimationFrame(this.#scrollAtEdges);
    };
    #end(phase) {
        const pressed = this.#pressed;
        if (pressed === undefined) return;
        if (this.#isLifted) {
            this.#send(phase);
            const { grid, preview, lift } = this.#context;
            if (grid.hasPointerCapture(pressed.id)) grid.releasePointerCapture(pressed.id);
            grid.classList.remove("is-dragging");
            lift(null);
            preview.hidden = true;
            preview.replaceChildren();
            document.removeEventListener("keydown", this.#onKey, true);
            this.hidesClick = true;
        }
        this.#pressed = this.#last = undefined;
        this.#isLifted = false;
    }
    stop() { this.#end("cancel"); }
}
// page_view/row_menu.js
class RowMenu {
    #menu;
    #restore;
    #close;
    constructor(menu, restoreFocus) {
        this.#menu = menu;
        this.#restore = restoreFocus;
        menu.addEventListener("keydown", (event) => { this.#key(event); });
        document.addEventListener("pointerdown", ({ target }) => {
            if (!menu.hidden && !(target instanceof Node && menu.contains(target))) this.close();
        });
        window.addEventListener("blur", () => { this.close(); });
    }
    open(
        items, { x, y },
        choose,
    ) {
        this.close();
        if (items.length === 0) return;
        const nodes = items.map((item) => {
            const title = make("bdi", "", {}, visibleText(item.title));
            const node = make("div", item.isDestructive === true ? "item destructive" : "item", { role: "menuitem", tabindex: "-1" }, title);
            if (item.isDisabled === true) node.setAttribute("aria-disabled", "true");
            node.addEventListener("click", () => {
                if (item.isDisabled === true) return;
                this.close();
                choose(item);
            });
            return node;
        });
        this.#menu.replaceChildren(...nodes);
        this.#menu.hidden = false;
        this.#close = this.#restore;
        const { width, height } = this.#menu.getBoundingClientRect();
        const left = Math.max(8, Math.min(x, window.innerWidth - width - 8)), top = Math.max(8, Math.min(y, window.innerHeight - height - 8));
        this.#menu.style.transform = `translate(${left}px, ${top}px)`;
        nodes[0].focus();
    }
    close() {
        if (this.#menu.hidden) return;
        const hadFocus = this.#menu.contains(document.activeElement);
        this.#menu.hidden = true;
        this.#menu.replaceChildren();
        if (hadFocus) this.#close?.();
    }
    #key(event) {
        const items = ([...this.#menu.children]);
        const at = items.findIndex((item) => item === document.activeElement);
        const move = (index) => { items[(index + items.length) % items.length].focus(); };
        switch (event.key) {
        case "ArrowDown": move(at + 1); break;
        case "ArrowUp": move(at - 1); break;
        case "Home": move(0); break;
        case "End": move(items.length - 1); break;
        case "Enter": case " ": items[at]?.click(); break;
        case "Escape": case "Tab": this.close(); break;
        default: return;
        }
        event.preventDefault();
        event.stopPropagation();
    }
}
// page_view/typing.js
const pauseBetweenWords = 1000;
class Typing {
    text = "";
    #timer;
    add(letter) {
        this.text += letter;
        window.clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => { this.text = ""; }, pauseBetweenWords);
    }
    clear() {
        window.clearTimeout(this.#timer);
        this.text = "";
    }
}
// page_view/page_commands.js
class PageCommands {
    #view;
    #typing = new Typing();
    #menu;
    #dragging;
    #outgoing;
    #asked = 0;
    constructor(view) {
        this.#view = view;
        const { nodes, viewport, rows, sender } = view;
        this.#menu = new RowMenu(nodes.menu, () => { nodes.grid.focus(); });
        this.#outgoing = new DragSource(view);
        this.#dragging = new RowDragging({
            grid: nodes.scroller, viewport, preview: nodes.preview,
            canDrag: () => view.info?.canReorder === true,
            elementOf: (target) => rows.elementOf(target),
            add: (input) => { sender.add(input); },
            scrollBy: (distance) => { view.scrollBy(distance); },
            lift: (number) => { rows.lift(number); },
        });
        nodes.grid.addEventListener("keydown", (event) => { this.#key(event); });
        nodes.scroller.addEventListener("click", (event) => { this.#click(event); });
        nodes.scroller.addEventListener("contextmenu", (event) => { this.#contextMenu(event); });
        nodes.helpButton.addEventListener("click", () => { this.#help(); });
        nodes.helpKeys.replaceChildren(...keyHelp.flatMap(([keys, meaning]) => [make("dt", "", {}, keys), make("dd", "", {}, meaning)]));
        document.addEventListener("visibilitychange", () => { if (document.hidden) this.#cancelMoving(); });
        document.addEventListener("keydown", (event) => {
            if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "f") return;
            if (document.activeElement === nodes.search) return;
            event.preventDefault();
            view.fields.focusSearch();
        });
    }
    #cancelMoving() {
        const { sender, info } = this.#view;
        this.#dragging.stop();
        if (info?.isMoving === true && !this.#outgoing.isDragging) sender.add(["key", "Escape", ""]);
        sender.flush(true);
    }
    stop() {
        this.#dragging.stop();
        this.#outgoing.stop();
        this.#menu.close();
    }
    #key(event) {
        const meaning = meaningOf(event, this.#typing.text, this.#view.viewport.isRightToLeft);
        if (meaning === undefined) return;
        event.preventDefault();
        if ("input" in meaning) {
            this.#typing.clear();
            this.#view.sender.add(meaning.input);
            const { details, info } = this.#view;
            if (info?.isMoving === true) return;
            if (event.key === "Enter" && info?.hasDetails === true) details.toggle(true);
            else if (event.key === "Escape" && details.isOpen) details.toggle(false);
            return;
        }
        switch (meaning.command) {
        case "type":
            this.#typing.add(String(meaning.value));
            this.#view.sender.add(["type", String(meaning.value)]);
            break;
        case "search": this.#view.fields.focusSearch(); break;
        case "details": this.#view.details.toggle(); break;
        case "help": this.#help(); break;
        case "copy": this.#copy(); break;
        case "menu": this.#menuOfActive(); break;
        }
    }
    #help() {
        const { help } = this.#view.nodes;
        if (!help.open) help.showModal();
    }
    async #copy() {
        if (String(document.getSelection()) !== "") {
            document.execCommand("copy");
            return;
        }
        try {
            this.#view.say(await copyRows(() => this.#view.call("view.copy", null)));
        } catch (error) {
            this.#view.say("The rows could not be copied. " + (error).message);
        }
    }
    #click(event) {
        if (this.#dragging.hidesClick) {
            this.#dragging.hidesClick = false;
            return;
        }
        const shown = this.#view.rows.elementOf(event.target);
        if (shown === undefined) return;
        const { n, kind, folded } = shown.data;
        const part = event.target instanceof Element ? event.target.closest("[data-part]")?.getAttribute("data-part") ?? "" : "";
        if (kind === "header" && folded !== undefined) {
            this.#view.sender.add(["fold", n, !folded]);
            return;
        }
        this.#view.sender.add(["click", n, modifiersOf(event), event.detail, part === "fold" ? "" : part]);
        if (event.detail === 2 && this.#view.info?.hasDetails === true) this.#view.details.toggle(true);
    }
    #contextMenu(event) {
        const shown = this.#view.rows.elementOf(event.target);
        if (shown === undefined || shown.data.kind !== "cell") return;
        event.preventDefault();
        this.#view.sender.add(["focus", shown.data.n]);
        this.#openMenu(shown.data.n, { x: event.clientX, y: event.clientY });
    }
    #menuOfActive() {
        const { rows } = this.#view;
        const shown = rows.active === null ? undefined : rows.shown.get(rows.active);
        if (shown === undefined) return;
        const { x, y, height } = shown.node.getBoundingClientRect();
        this.#openMenu(shown.data.n, { x: x + 24, y: y + height });
    }
    async #openMenu(number, place) {
        try {
            const asked = ++this.#asked;
            const items = await this.#view.askAbout("view.menu", number);
            if (asked !== this.#asked || !this.#view.nodes.grid.contains(document.activeElement)) return;
            this.#menu.open(items, place, async ({ id }) => {
                try {
                    const message = await this.#view.call("view.perform", { view: number, id });
                    if (typeof message === "string") this.#view.say(message);
                } catch (error) {
                    this.#view.say((error).message);
                }
            });
        } catch (error) {
            this.#view.say((error).message);
        }
    }
}
// page_view/page_nodes.js
function findNodes() {
    return {
        app: byId("app"), title: byId("title"), status: byId("status"), counts: byId("counts"), notice: byId("notice"), toast: byId("toast"),
        live: byId("live"), grid: byId("grid"), columns: byId("columns"), scroller: byId("scroller"), ghost: byId("ghost"),
        rows: byId("rows"), spacer: byId("spacer"), index: byId("index"), details: byId("details"),
        detailsBody: byId("details-body"), detailsButton: byId("details-button"),
        charts: byId("charts"), chartsBody: byId("charts-body"), chartsButton: byId("charts-button"), menu: byId("menu"), preview: byId("preview"),
        help: (byId("help")), helpKeys: byId("help-keys"), helpButton: byId("help-button"),
        search: (byId("search")), filter: (byId("filter")),
        matches: byId("matches"),
    };
}
// page_view/announcer.js
const pause = 2000;
class Announcer {
    #show;
    #wait;
    #waiting = [];
    #isPausing = false;
    constructor(
        show, wait,
    ) {
        this.#show = show;
        this.#wait = wait;
    }
    say(text) {
        if (text === "" || this.#waiting.at(-1) === text) return;
        this.#waiting.push(text);
        if (this.#waiting.length > 3) this.#waiting.shift();
        if (!this.#isPausing) this.#announce();
    }
    #announce() {
        if (this.#waiting.length === 0) return;
        const text = this.#waiting.join(". ");
        this.#waiting = [];
        this.#isPausing = true;
        this.#show(text);
        this.#wait(() => {
            this.#isPausing = false;
            this.#announce();
        }, pause);
    }
}
// page_view/charts_panel.js
const svgNamespace = "http://www.w3.org/2000/svg";
function rect(className, start, length, unit) {
    const node = document.createElementNS(svgNamespace, "rect");
    node.setAttribute("class", className);
    node.setAttribute("x", start + "%");
    node.setAttribute("width", length + unit);
    node.setAttribute("height", "100%");
    return node;
}
function plot(length, hasNegative) {
    const svg = document.createElementNS(svgNamespace, "svg");
    const zero = hasNegative ? 50 : 0, scale = hasNegative ? 50 : 100;
    const size = Math.abs(length) * scale;
    if (length !== 0) svg.append(rect("length", length < 0 ? zero - size : zero, Math.max(size, 0.5), "%"));
    if (hasNegative) svg.append(rect("zero", zero, 1, "px"));
    return svg;
}
function table({ title, bars }) {
    const hasNegative = bars.some(([, , length]) => length < 0);
    const rows = bars.map(([label, figure, length, style]) => make(
        "tr", "", {},
        make("th", "", { scope: "row", title: visibleText(label) }, make("bdi", "", {}, visibleText(label))),
        make("td", "figure", {}, figure),
        make("td", "plot " + (classOf(style) ?? ""), { "aria-hidden": "true" }, plot(length, hasNegative)),
    ));
    if (rows.length === 0) rows.push(make("tr", "", {}, make("td", "faint", {}, "nothing to draw")));
    return make("table", "chart", {}, ...(title === "" ? [] : [make("caption", "", {}, make("bdi", "", {}, visibleText(title)))]), make("tbody", "", {}, ...rows));
}
class ChartsPanel {
    #panel;
    #body;
    #button;
    #isClosed = false;
    constructor({ panel, body, button }) {
        this.#panel = panel;
        this.#body = body;
        this.#button = button;
        button.addEventListener("click", () => {
            this.#isClosed = !panel.hidden;
            this.#setOpen(panel.hidden);
        });
    }
    show(charts) {
        this.#body.replaceChildren(...charts.map(table));
        this.#button.hidden = charts.length === 0;
        this.#setOpen(charts.length > 0 && !this.#isClosed);
    }
    #setOpen(isOpen) {
        this.#panel.hidden = !isOpen;
        this.#button.setAttribute("aria-expanded", String(isOpen));
    }
}
// page_view/column_scrolling.js
class ColumnScrolling {
    #app;
    #scroller;
    #width = 0;
    #left = 0;
    constructor(app, scroller) {
        this.#app = app;
        this.#scroller = scroller;
        scroller.addEventListener("scroll", () => { this.#scrolled(); }, { passive: true });
    }
    setWidth(width) {
        this.#width = width;
        this.resized();
    }
    resized() {
        this.#scroller.classList.toggle("is-broad", this.#width > this.#scroller.clientWidth);
        this.#app.style.setProperty("--table-width", this.#width + "px");
        this.#scrolled();
    }
    #scrolled() {
        const { classList, scrollLeft } = this.#scroller;
        const left = classList.contains("is-broad") && !classList.contains("is-horizontal") ? scrollLeft : 0;
        if (left === this.#left) return;
        this.#left = left;
        if (left === 0) this.#app.style.removeProperty("--shift");
        else this.#app.style.setProperty("--shift", -left + "px");
    }
    reveal(title) {
        const box = this.#scroller.getBoundingClientRect(), { left, right } = title.getBoundingClientRect();
        if (left < box.left) this.#scroller.scrollLeft -= box.left - left;
        else if (right > box.left + this.#scroller.clientWidth) this.#scroller.scrollLeft += right - box.left - this.#scroller.clientWidth;
        this.#scrolled();
    }
}
// page_view/column_widths.js
const least = 5, most = 42;
const leastWidth = (weight) => Math.min(weight, 8) * 8, gap = 16, edges = 28;
const isNumber = (text) => /^[-+\u2212]?[\d\s.,'\u00A0\u202F]*\d\s?%?$/.test(text);
function measureColumns(header, rows) {
    const count = Math.max(header.length, ...rows.map((row) => row.length), 0);
    const columns = [];
    for (let index = 0; index < count; index++) {
        const texts = rows.map((row) => plainText(row[index])).filter((text) => text !== "");
        const lengths = texts.map((text) => text.length).sort((left, right) => left - right);
        const common = lengths.length === 0 ? 0 : lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * 0.9))];
        const title = plainText(header[index]).length + 2;
        columns.push({
            weight: Math.min(most, Math.max(least, common, title)),
            isNumeric: texts.length > 0 && texts.every(isNumber),
        });
    }
    return columns;
}
function gridTemplate(columns) {
    return columns.map(({ weight }) => `minmax(${leastWidth(weight)}px, ${weight}fr)`).join(" ");
}
function leastRoom(columns) {
    return columns.reduce((room, { weight }) => room + leastWidth(weight) + gap, edges - gap);
}
// page_view/column_header.js
function columnAfter(
    key, column, count, isRightToLeft,
) {
    const last = count - 1;
    switch (key) {
    case "Home": return 0;
    case "End": return last;
    case "ArrowLeft": return isRightToLeft ? Math.min(last, column + 1) : Math.max(0, column - 1);
    case "ArrowRight": return isRightToLeft ? Math.max(0, column - 1) : Math.min(last, column + 1);
    default: return undefined;
    }
}
class ColumnHeader {
    #row;
    #app;
    #scrolling;
    #choose;
    #titles = [];
    #needsWidths = true;
    #isEmpty = true;
    #isVertical = true;
    constructor(
        { columns: row, app, scroller },
        choose, leave,
    ) {
        this.#scrolling = new ColumnScrolling(app, scroller);
        row.addEventListener("keydown", (event) => { this.#key(event, leave); });
        row.addEventListener("focusin", ({ target }) => {
            row.scrollLeft = 0;
            if (target instanceof Element) this.#scrolling.reveal(target);
        });
        this.#row = row;
        this.#app = app;
        this.#choose = choose;
        row.addEventListener("click", ({ target, shiftKey }) => {
            const cell = target instanceof Element ? target.closest("[aria-colindex]") : null;
            if (cell !== null) this.#choose(shiftKey ? "group" : "sort", Number(cell.getAttribute("aria-colindex")) - 1);
        });
    }
    show({ header, sort }) {
        const titles = header ?? [];
        this.#isEmpty = titles.length === 0;
        this.#row.hidden = this.#isEmpty || !this.#isVertical;
        const isSame = titles.length === this.#titles.length && titles.every((title, index) => isSameText(title, this.#titles[index]));
        if (!isSame) {
            this.#titles = titles;
            this.#needsWidths = true;
            if (this.#isEmpty) this.#scrolling.setWidth(0);
            this.#row.replaceChildren(...titles.map((title, index) => {
                const text = make("bdi", "text");
                showText(text, title);
                return make("div", "column", { role: "columnheader", "aria-colindex": String(index + 1), tabindex: index === 0 ? "0" : "-1" }, text, make("span", "arrow", { "aria-hidden": "true" }));
            }));
        }
        for (const [index, cell] of [...this.#row.children].entries()) {
            setAttribute(cell, "aria-sort", sort !== undefined && sort[0] === index ? sort[1] : undefined);
        }
    }
    #key(event, leave) {
        const cells = ([...this.#row.children]);
        const at = cells.findIndex((cell) => cell === document.activeElement);
        if (at < 0) return;
        event.stopPropagation();
        const isRightToLeft = getComputedStyle(this.#row).direction === "rtl";
        const next = columnAfter(event.key, at, cells.length, isRightToLeft);
        if (next !== undefined) {
            cells[at].tabIndex = -1;
            cells[next].tabIndex = 0;
            cells[next].focus({ preventScroll: true });
        } else if (event.key === "Enter" || event.key === " ") this.#choose(event.shiftKey ? "group" : "sort", at);
        else if (event.key === "ArrowDown" || event.key === "Escape") leave();
        else return;
        event.preventDefault();
    }
    turn(isVertical) {
        if (this.#isVertical === isVertical) return;
        this.#isVertical = isVertical;
        this.#row.hidden = this.#isEmpty || !isVertical;
    }
    measure(shown) {
        if (!this.#needsWidths) return;
        const rows = [];
        for (const { data } of shown) if (data.kind === "cell" && data.columns !== undefined) rows.push(data.columns);
        if (rows.length === 0) return;
        this.#needsWidths = false;
        const columns = measureColumns(this.#titles, rows);
        const { style, classList } = this.#app;
        style.setProperty("--columns", gridTemplate(columns));
        this.#scrolling.setWidth(this.#isEmpty ? 0 : leastRoom(columns));
        for (const name of [...classList]) if (name.startsWith("numeric-")) classList.remove(name);
        for (const [index, { isNumeric }] of columns.entries()) if (isNumeric) classList.add("numeric-" + (index + 1));
    }
    resized() { this.#scrolling.resized(); }
    forgetWidths() { this.#needsWidths = true; }
}
// page_view/counts_text.js
function countsText([focused, rows, marked, hidden], isComplete = true) {
    const parts = [rows.toLocaleString() + (isComplete ? "" : "+") + (rows === 1 && isComplete ? " row" : " rows")];
    if (focused > 0) parts.push("row " + focused.toLocaleString());
    if (marked > 0) parts.push(marked.toLocaleString() + " marked" + (hidden > 0 ? ` (${hidden.toLocaleString()} hidden)` : ""));
    return parts.join(" \u00B7 ");
}
// page_view/details_panel.js
function failureLines(error) {
    return error.code === "invalidArgument" ? [[[error.message, "failure"]]] : undefined;
}
class DetailsPanel {
    #panel;
    #body;
    #button;
    #number = null;
    #asked = 0;
    #shown = "";
    #ask;
    constructor(
        { panel, body, button },
        ask,
    ) {
        this.#panel = panel;
        this.#body = body;
        this.#button = button;
        this.#ask = ask;
        button.addEventListener("click", () => { this.toggle(); });
        copyOriginals(body);
    }
    get isOpen() { return !this.#panel.hidden; }
    toggle(isOpen = !this.isOpen) {
        this.#panel.hidden = !isOpen;
        this.#button.setAttribute("aria-expanded", String(isOpen));
        if (isOpen) this.#load();
    }
    show(number) {
        this.#number = number;
        if (this.isOpen) this.#load();
    }
    async #load() {
        const asked = ++this.#asked;
        const lines = this.#number === null ? [] : await this.#ask(this.#number).catch(failureLines);
        if (asked !== this.#asked || lines === undefined) return;
        const shown = JSON.stringify(lines);
        if (shown === this.#shown) return;
        this.#shown = shown;
        if (lines.length === 0) {
            this.#body.replaceChildren(make("p", "faint", {}, "No row has the focus."));
            return;
        }
        this.#body.replaceChildren(...lines.map((line) => {
            const node = make("p", plainText(line) === "" ? "space" : "line");
            const text = make("bdi", "");
            showText(text, line, true);
            node.append(text);
            return node;
        }));
    }
}
// page_view/drop_data.js
const partLength = 48000;
const longestString = 4000;
const mostBytes = 48000;
class DropData {
    #kept = new Map();
    #last = 0;
    keep(texts, files) {
        const content = {
            texts: texts.map(({ type, text }) => {
                if (text.length <= longestString) return { type, text };
                const blob = new Blob([text]);
                return { type, size: blob.size, handle: this.#add(blob) };
            }),
            files: files.map((file) => ({ name: file.name, type: file.type, size: file.size, handle: this.#add(file) })),
        };
        if (new Blob([JSON.stringify(content)]).size <= mostBytes) return content;
        for (const { handle } of [...content.texts, ...content.files]) if (handle !== undefined) this.forget(handle);
        throw new Error("Too much was dropped: the names and strings have more than " + mostBytes + " bytes.");
    }
    #add(blob) {
        this.#kept.set(++this.#last, blob);
        return this.#last;
    }
    async *read(handle) {
        const blob = this.#kept.get(handle);
        if (blob === undefined) throw new Error("The page no longer has the file.");
        for (let start = 0; start < blob.size; start += partLength) {
            const part = await blob.slice(start, start + partLength).arrayBuffer().catch((error) => {
                throw new Error("The browser cannot read it. " + (error).message);
            });
            yield new Uint8Array(part);
        }
    }
    forget(handle) { this.#kept.delete(handle); }
    clear() { this.#kept.clear(); }
}
// page_view/drop_target.js
const longestRest = 2000;
class DropTarget {
    data = new DropData();
    #view;
    #isOver = false;
    #last = { x: 0, y: 0, time: -Infinity };
    #proposal = null;
    #row;
    constructor(view) {
        this.#view = view;
        const { scroller } = view.nodes;
        scroller.addEventListener("dragenter", (event) => { this.#move(event); });
        scroller.addEventListener("dragover", (event) => { this.#move(event); });
        scroller.addEventListener("dragleave", ({ relatedTarget }) => {
            if (!(relatedTarget instanceof Node && scroller.contains(relatedTarget))) this.#leave();
        });
        scroller.addEventListener("drop", (event) => { this.#drop(event); });
        for (const name of (["dragover", "drop"])) {
            document.addEventListener(name, (event) => {
                if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
                event.preventDefault();
                event.dataTransfer.dropEffect = "none";
            });
        }
    }
    show(proposal) {
        this.#proposal = proposal;
        const isTaken = proposal !== null && proposal[0] !== "none";
        this.#view.nodes.scroller.classList.toggle("is-drop-target", isTaken && this.#isOver);
        this.#mark(isTaken ? this.#row : undefined, proposal?.[1] ?? "");
    }
    #mark(row, intent) {
        for (const node of this.#view.nodes.rows.querySelectorAll(".drop-at, .drop-into")) {
            if (node !== row?.node) node.classList.remove("drop-at", "drop-into");
        }
        row?.node.classList.toggle("drop-at", intent === "at");
        row?.node.classList.toggle("drop-into", intent === "into");
    }
    #canTake({ types }) {
        return this.#view.info?.canDrop === true || types.some(isTypeOfDrag);
    }
    #move(event) {
        const { dataTransfer } = event;
        if (dataTransfer === null || !this.#canTake(dataTransfer)) return;
        const { x, y } = this.#view.viewport.pointOf(event);
        const now = performance.now(), last = this.#last;
        this.#row = this.#view.rows.elementOf(event.target);
        if (!this.#isOver || Math.abs(x - last.x) >= 1 || Math.abs(y - last.y) >= 1 || now - last.time > longestRest) {
            this.#isOver = true;
            this.#last = { x, y, time: now };
            const { types, files } = offerOf(dataTransfer);
            this.#view.sender.add(["dragOver", types, files, x, y]);
        }
        const proposal = this.#proposal;
        if (proposal === null || proposal[0] === "none") return;
        event.preventDefault();
        dataTransfer.dropEffect = proposal[0];
        this.#mark(this.#row, proposal[1]);
    }
    #leave() {
        if (!this.#isOver) return;
        this.#forget();
        this.#view.sender.add(["dragLeave"]);
        this.#view.sender.flush(true);
    }
    #forget() {
        this.#isOver = false;
        this.#last.time = -Infinity;
        this.#row = undefined;
        this.show(null);
    }
    async #drop(event) {
        const { dataTransfer } = event;
        if (dataTransfer === null || !this.#isOver) return;
        event.preventDefault();
        const { x, y } = this.#view.viewport.pointOf(event);
        const { types } = offerOf(dataTransfer);
        const texts = types.filter((type) => !isTypeOfDrag(type)).map((type) => ({ type, text: dataTransfer.getData(type) }));
        const entries = [...dataTransfer.items].filter(({ kind }) => kind === "file");
        const hasFolder = entries.some((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
        const files = [...dataTransfer.files];
        this.#forget();
        this.#view.sender.flush(true);
        try {
            if (hasFolder) throw new Error("Folders cannot be dropped, only files.");
            const content = this.data.keep(texts, files);
            const request = { types, fileTypes: files.map(({ type }) => type), x, y, content };
            const message = await this.#view.call("view.drop", request);
            if (typeof message === "string") this.#view.say(message);
        } catch (error) {
            this.#view.sender.add(["dragLeave"]);
            this.#view.say((error).message);
        }
    }
    serve(bridge) {
        bridge.registerHandler("page.readFile", (handle) => this.data.read(handle));
        bridge.registerHandler("page.releaseFile", (handle) => { this.data.forget(handle); });
    }
    stop() {
        this.#forget();
        this.data.clear();
    }
}
// page_view/index_strip.js
const leastHeight = 15;
function titlesThatFit(titles, height) {
    const count = Math.max(2, Math.floor(height / leastHeight));
    if (titles.length <= count) return titles;
    return Array.from({ length: count }, (_, index) => titles[Math.round(index * (titles.length - 1) / (count - 1))]);
}
class IndexStrip {
    #strip;
    #titles = [];
    #key = "";
    constructor(strip, jump) {
        this.#strip = strip;
        let last = null;
        const slide = (event) => {
            const node = document.elementFromPoint(event.clientX, event.clientY);
            const section = node?.getAttribute("data-section") ?? null;
            if (section === null || section === last) return;
            last = section;
            jump(Number(section));
        };
        strip.addEventListener("mousedown", (event) => { event.preventDefault(); });
        strip.addEventListener("pointerdown", (event) => {
            last = null;
            strip.setPointerCapture(event.pointerId);
            slide(event);
        });
        strip.addEventListener("pointermove", (event) => { if (strip.hasPointerCapture(event.pointerId)) slide(event); });
        strip.addEventListener("click", (event) => {
            const section = event.target instanceof Element ? event.target.getAttribute("data-section") : null;
            if (event.detail === 0 && section !== null) jump(Number(section));
        });
        new ResizeObserver(() => { this.#fill(); }).observe(strip);
    }
    show(titles) {
        this.#titles = titles;
        this.#strip.hidden = titles.length === 0;
        this.#fill();
    }
    #fill() {
        if (this.#strip.hidden) return;
        const shown = titlesThatFit(this.#titles, this.#strip.clientHeight - 16);
        const key = JSON.stringify(shown);
        if (key === this.#key) return;
        this.#key = key;
        this.#strip.replaceChildren(...shown.map(([title, section]) => make("button", "", { type: "button", "data-section": String(section) }, visibleText(title))));
    }
}
// page_view/input_batch.js
const replaced = new Set(["scroll", "resize", "filter", "search", "dragOver"]);
const mostCharacters = 18000, mostLengths = 400;
class InputBatch {
    #inputs = [];
    #lengths = new Map();
    #applied = 0;
    #seen = 0;
    applied(sequence) { this.#applied = sequence; }
    get lastApplied() { return this.#applied; }
    get isEmpty() { return this.#inputs.length === 0 && this.#lengths.size === 0; }
    add(input) {
        this.#removeReplaced(input);
        this.#see();
        this.#inputs.push(input);
    }
    #removeReplaced(input) {
        for (let index = this.#inputs.length - 1; index >= 0; index--) {
            const earlier = this.#inputs[index];
            if (replaces(input, earlier)) {
                this.#inputs.splice(index, 1);
                return;
            }
            if (!isPointing(input) || !isPointing(earlier)) return;
        }
    }
    #see() {
        if (this.#seen === this.#applied) return;
        this.#seen = this.#applied;
        this.#inputs.push(["seen", this.#seen]);
    }
    measure(number, length) { this.#lengths.set(number, length); }
    forget(number) { this.#lengths.delete(number); }
    take() {
        let room = mostCharacters;
        const count = this.#inputs.findIndex((input) => (room -= JSON.stringify(input).length + 1) < 0);
        const inputs = this.#inputs.splice(0, count < 0 ? this.#inputs.length : Math.max(1, count));
        if (this.#lengths.size === 0 || this.#inputs.length > 0) return inputs;
        this.#see();
        const lengths = [...this.#lengths].slice(0, mostLengths);
        for (const [number] of lengths) this.#lengths.delete(number);
        return [...inputs, ...this.#inputs.splice(0), ["measure", lengths]];
    }
}
const isPointing = ([kind, phase]) => kind === "scroll" || kind === "seen" || kind === "dragOver" || kind === "drag" && phase === "move";
function replaces(next, last) {
    if (next[0] !== last[0]) return false;
    if (next[0] === "drag") return next[1] === "move" && last[1] === "move" && next[2] === last[2];
    return replaced.has(next[0]);
}
// page_view/input_sender.js
class InputSender {
    batch = new InputBatch();
    bridge;
    #notice;
    #failed;
    #request;
    #sending = 0;
    constructor(
        notice, failed,
        request,
    ) {
        this.#notice = notice;
        this.#failed = failed;
        this.#request = request;
    }
    add(input) {
        if (this.bridge === undefined) return;
        this.batch.add(input);
        this.#request();
    }
    measure(number, length) {
        if (this.bridge === undefined) return;
        this.batch.measure(number, length);
        this.#request();
    }
    begin(bridge) {
        this.bridge = bridge;
        this.batch = new InputBatch();
        this.#sending = 0;
    }
    async flush(isUrgent = false) {
        const { bridge } = this;
        if (bridge === undefined || this.#sending > 0 && !isUrgent || this.batch.isEmpty) return;
        this.#sending++;
        this.#notice.waits();
        try {
            await bridge.callHandler("view.input", this.batch.take());
        } catch (error) {
            if ((error).code !== "disconnected") this.#failed((error).message);
        }
        if (this.bridge !== bridge) return;
        this.#sending--;
        this.#notice.answered();
        if (!this.batch.isEmpty) this.#request();
    }
}
// page_view/anchoring.js
function offsetAfter(
    offset, content, isFirst,
) {
    if (isFirst) return content.offset;
    const next = offset + content.adjustment;
    return Math.abs(content.offset - next) < 1 ? content.offset : next;
}
function placeAlong(
    { frame, pinned }, isVertical, offset,
) {
    if (pinned === undefined) return frame[isVertical ? 1 : 0];
    return Math.min(Math.max(offset, pinned[0]), pinned[1]);
}
function withPin(element, content) {
    if (element.kind !== "header" || element.pinned !== undefined || !(element.z !== undefined && element.z > 0)) return element;
    const axis = content.direction === "vertical" ? 1 : 0;
    if (Math.abs(element.frame[axis] - content.offset) >= 0.5) return element;
    return { ...element, pinned: ([element.frame[axis], Infinity]) };
}
// page_view/element_shape.js
function shapeOf(element, role) {
    const { kind, columns, secondary, image, accessories, folded } = element;
    const marks = (accessories ?? []).map(([name]) => name).join("+");
    return [
        role, kind, columns?.length ?? 0, secondary === undefined ? 0 : 1, image === undefined ? 0 : imageKind(image), marks,
        folded === undefined ? 0 : 1,
    ].join("/");
}
function imageKind(image) {
    return /^(data:image\/|\/)/.test(image) ? "picture" : "sign";
}
// page_view/element_nodes.js
const indentation = 18;
function rolesOf(kind, role) {
    if (kind === "decoration") return { row: "presentation", cell: undefined };
    if (role === "listbox") return { row: kind === "cell" ? "option" : "presentation", cell: undefined };
    return { row: "row", cell: kind === "cell" ? "gridcell" : "rowheader" };
}
const signs = new Map([["disclosure", "\u203A"], ["checkmark", "\u2713"], ["reorder", "\u2261"]]);
function accessoryNode([name]) {
    if (name === "label") return make("bdi", "label");
    const part = name === "disclosure" ? "disclosure" : name === "reorder" ? "accessory" : undefined;
    return make("span", "accessory " + name, { "aria-hidden": "true", "data-part": part }, signs.get(name) ?? "");
}
function hasOutline({ accessories }) {
    return (accessories ?? []).some(([name]) => name === "outline");
}
function isBare(element) {
    const { secondary, image, folded } = element;
    return secondary === undefined && image === undefined && folded === undefined && !hasOutline(element);
}
const triangle = (part) => make("span", "triangle", { "aria-hidden": "true", "data-part": part });
function addLead(cell, element) {
    const { folded, image } = element;
    if (folded !== undefined) cell.append(triangle("fold"));
    if (hasOutline(element)) cell.append(triangle("disclosure"));
    if (image === undefined) return;
    cell.append(imageKind(image) === "picture" ? make("img", "picture", { alt: "" }) : make("span", "sign", { "aria-hidden": "true" }));
}
function makeElement(element, role) {
    const { kind, columns, secondary, accessories } = element;
    const roles = rolesOf(kind, role);
    const node = make("div", "row is-" + kind, { role: roles.row });
    const box = make("div", "box", roles.cell === undefined && roles.row !== "presentation" ? { role: "presentation" } : {});
    node.append(box);
    box.classList.toggle("leaf", role === "treegrid" && kind === "cell" && !hasOutline(element));
    const labels = [];
    const count = columns === undefined ? 1 : columns.length;
    box.classList.toggle("wide", columns !== undefined);
    for (let index = 0; index < count; index++) {
        const number = roles.cell === undefined ? undefined : String(index + 1);
        const attributes = { role: roles.cell, "aria-colindex": number };
        if (index > 0 || isBare(element)) {
            const cell = make("div", "cell text", attributes);
            labels.push(cell);
            box.append(cell);
            continue;
        }
        const cell = make("div", "cell lead", attributes);
        addLead(cell, element);
        const text = make("div", "text");
        labels.push(text);
        if (secondary !== undefined) {
            const below = make("div", "text secondary");
            labels.push(below);
            cell.append(make("div", "lines", {}, text, below));
        } else cell.append(text);
        box.append(cell);
    }
    const trailing = (accessories ?? []).filter(([name]) => name !== "outline").map((accessory) => accessoryNode(accessory));
    box.classList.toggle("trailing", trailing.length > 0);
    if (trailing.length > 0) box.append(make("div", "trail", {}, ...trailing));
    labels.push(...trailing.filter((each) => each.classList.contains("label")));
    const shown = {
        data: element, node, box, shape: shapeOf(element, role), texts: [], labels, place: "", size: "", look: "", isKept: false,
    };
    return shown;
}
function textsOf({ text, columns, secondary, accessories }) {
    const texts = columns === undefined ? [text] : [...columns];
    if (secondary !== undefined) texts.splice(1, 0, secondary);
    for (const [name, value] of accessories ?? []) if (name === "label") texts.push([[String(value), "plain"]]);
    return texts;
}
function fillElement(
    shown, element, rowsBefore,
) {
    const { node, labels } = shown;
    shown.data = element;
    const id = idOfElement(element.n);
    if (node.id !== id) node.id = id;
    const texts = textsOf(element);
    for (let index = 0; index < labels.length; index++) {
        const before = shown.texts[index], text = texts[index] ?? [];
        if (before === undefined || !isSameText(before, text)) showText(labels[index], text);
    }
    shown.texts = texts;
    fillStates(shown, element, rowsBefore);
    if (element.image !== undefined) fillImage(node, element.image);
}
function fillStates(
    { node, box }, element, rowsBefore,
) {
    const { kind, path, row, selected, highlighted, level, expanded, folded, indent, accessories } = element;
    const isCell = kind === "cell";
    setAttribute(node, "aria-rowindex", kind === "decoration" || node.getAttribute("role") !== "row" ? undefined : String(row + rowsBefore));
    setAttribute(node, "aria-posinset", node.getAttribute("role") === "option" ? String(row) : undefined);
    setAttribute(node, "aria-selected", isCell ? String(selected === true) : undefined);
    setAttribute(node, "aria-level", level === undefined ? undefined : String(level));
    const isExpanded = expanded ?? (folded === undefined ? undefined : !folded);
    setAttribute(node, "aria-expanded", isExpanded === undefined ? undefined : String(isExpanded));
    node.classList.toggle("is-highlighted", highlighted === true);
    node.classList.toggle("is-measured", element.measured === true);
    node.classList.toggle("is-odd", isCell && path[1] % 2 === 1);
    const outline = (accessories ?? []).find(([name]) => name === "outline");
    node.classList.toggle("is-open", outline === undefined ? folded === false : outline[1] === true);
    setProperty(box, "--indent", indent === undefined || indent === 0 ? "" : indent * indentation + "px");
}
function setProperty(node, name, value) {
    if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}
function fillImage(node, image) {
    const picture = node.querySelector("img.picture");
    if (picture !== null) setAttribute(picture, "src", image);
    const sign = node.querySelector(".sign");
    if (sign !== null && sign.textContent !== image) sign.textContent = image;
}
// page_view/element_places.js
const farthest = 400000;
class ElementPlaces {
    isVertical = true;
    isRightToLeft = false;
    origin = 0;
    #parent;
    #shift = "";
    constructor(parent) { this.#parent = parent; }
    scroll(offset) {
        const moves = Math.abs(offset - this.origin) > farthest;
        if (moves) this.origin = Math.round(offset);
        const ratio = window.devicePixelRatio;
        const shift = this.#translation(0, Math.round((this.origin - offset) * ratio) / ratio);
        if (shift !== this.#shift) {
            this.#shift = shift;
            this.#parent.style.transform = shift;
        }
        return moves;
    }
    #translation(across, along) {
        const x = this.isVertical ? across : along, y = this.isVertical ? along : across;
        return `translate(${this.isRightToLeft ? -x : x}px, ${y}px)`;
    }
    place(shown, offset) {
        const { data, node } = shown;
        const { frame, transform } = data;
        const along = placeAlong(data, this.isVertical, offset) - this.origin;
        let place = this.#translation(frame[this.isVertical ? 0 : 1], along);
        if (transform !== undefined) place += ` matrix(${transform.join(", ")})`;
        if (shown.place !== place) {
            shown.place = place;
            node.style.transform = place;
        }
        const size = `${frame[2]}x${frame[3]}`;
        if (shown.size !== size) {
            shown.size = size;
            node.style.width = frame[2] + "px";
            node.style.height = frame[3] + "px";
        }
        const look = `${data.z ?? 0}/${data.alpha ?? 1}`;
        if (shown.look !== look) {
            shown.look = look;
            node.style.zIndex = String(data.z ?? 0);
            node.style.opacity = data.alpha === undefined ? "" : String(data.alpha);
        }
    }
}
// page_view/element_pool.js
const mostOfShape = 64;
class ElementPool {
    #free = new Map();
    created = 0;
    reused = 0;
    take(shape, make) {
        const found = this.#free.get(shape)?.pop();
        if (found !== undefined) {
            this.reused++;
            return found;
        }
        this.created++;
        return make();
    }
    give(element) {
        const list = this.#free.get(element.shape) ?? [];
        this.#free.set(element.shape, list);
        if (list.length < mostOfShape) list.push(element);
    }
    clear() { this.#free.clear(); }
}
// page_view/measuring.js
function needsReport(
    last, now,
) {
    if (last === undefined || last.number !== now.number || last.row !== now.row) return true;
    const isSame = Math.abs(last.length - now.length) < 1 / 64, isAnswered = Math.abs(now.shown - now.length) < 1 / 64;
    return !isSame || !isAnswered && last.shown !== now.shown;
}
class Measuring {
    #observer;
    #owners = new WeakMap();
    #reported = new WeakMap();
    isVertical = true;
    #forget;
    constructor(
        report, forget,
    ) {
        this.#forget = forget;
        this.#observer = new ResizeObserver((entries) => {
            for (const { target, borderBoxSize } of entries) {
                const owner = this.#owners.get(target);
                if (owner === undefined || owner.data.measured !== true) continue;
                const length = this.isVertical ? borderBoxSize[0].blockSize : borderBoxSize[0].inlineSize;
                this.#take(owner, length, report);
            }
        });
    }
    #take(
        owner, length,
        report,
    ) {
        if (length <= 0) return;
        const { n, path, frame } = owner.data;
        const now = { number: n, row: path.join("/"), length, shown: frame[this.isVertical ? 3 : 2] };
        const isNew = needsReport(this.#reported.get(owner), now);
        this.#reported.set(owner, now);
        if (isNew) report(n, length);
    }
    follow(shown) {
        this.#observer.unobserve(shown.box);
        const last = this.#reported.get(shown), { n, path } = shown.data;
        if (last !== undefined && (last.number !== n || last.row !== path.join("/"))) this.#forget(last.number);
        if (shown.data.measured !== true) return;
        this.#owners.set(shown.box, shown);
        this.#observer.observe(shown.box);
    }
    unfollow(shown) {
        this.#observer.unobserve(shown.box);
        this.#reported.delete(shown);
        this.#forget(shown.data.n);
    }
}
// page_view/longest_ascent.js
function longestAscent(numbers) {
    const ends = [];
    const before = [];
    for (let place = 0; place < numbers.length; place++) {
        let low = 0, high = ends.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (numbers[ends[middle]] < numbers[place]) low = middle + 1;
            else high = middle;
        }
        before.push(low > 0 ? ends[low - 1] : -1);
        ends[low] = place;
    }
    const places = new Set();
    for (let place = ends.at(-1) ?? -1; place >= 0; place = before[place]) places.add(place);
    return places;
}
// page_view/motion.js
const duration = 200, easing = "cubic-bezier(0.2, 0, 0, 1)";
const mostMoves = 60;
const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
function seenPlaces(elements) {
    const places = new Map();
    for (const { data, node } of elements) {
        const { x, y } = node.getBoundingClientRect();
        places.set(data.n, { x, y });
    }
    return places;
}
function animateBatch(
    elements, before,
    parent, viewport,
) {
    const moves = [];
    for (const { data, node } of elements) {
        const old = before.get(data.n);
        const now = node.getBoundingClientRect();
        if (!isOnScreen(now, now, viewport) && (old === undefined || !isOnScreen(old, now, viewport))) continue;
        if (old === undefined) moves.push({ data, node, now, x: 0, y: 0, isNew: true });
        else if (Math.abs(old.x - now.x) > 0.5 || Math.abs(old.y - now.y) > 0.5) {
            moves.push({ data, node, now, x: old.x - now.x, y: old.y - now.y, isNew: false });
        }
    }
    if (moves.length > mostMoves) {
        parent.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration, easing });
        return;
    }
    for (const { data, node, now, x, y, isNew } of moves) {
        for (const each of node.getAnimations()) if (each.id === "move") each.cancel();
        if (!isNew) animate(node, [{ translate: `${x}px ${y}px` }, { translate: "0 0" }]);
        else if (data.mark === "inserted") animate(node, [{ opacity: 0 }, { opacity: 1 }]);
        else {
            const isBelow = now.y + now.height / 2 > viewport.y + viewport.height / 2;
            const distance = isBelow ? viewport.bottom - now.y : viewport.y - now.bottom;
            animate(node, [{ translate: `0 ${distance}px` }, { translate: "0 0" }]);
        }
    }
}
function isOnScreen(
    { x, y }, { width, height },
    { left, top, right, bottom },
) {
    return x < right && x + width > left && y < bottom && y + height > top;
}
function animate(node, frames) {
    node.animate(frames, { duration, easing }).id = "move";
}
function fadeOut(node, done) {
    const fading = node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: duration * 0.6, easing });
    fading.onfinish = fading.oncancel = done;
}
function flash({ box }) {
    box.animate([{ backgroundColor: "var(--mark)" }, { backgroundColor: "transparent" }], { duration: 400, easing: "ease-in" });
}
// page_view/row_layer.js
class RowLayer {
    shown = new Map();
    pool = new ElementPool();
    role = "grid";
    rowsBefore = 0;
    #count = -1;
    active = null;
    #lifted = null;
    places;
    measuring;
    #parent;
    #lastOrder = [];
    #pinned = new Set();
    constructor(
        parent, measured,
        forgotten,
    ) {
        this.#parent = parent;
        this.places = new ElementPlaces(parent);
        this.measuring = new Measuring(measured, forgotten);
    }
    apply(update, viewport, place) {
        const animates = update.animated === true && update.reset !== true && !prefersStillness();
        const before = animates ? seenPlaces(this.shown.values()) : new Map();
        if (update.reset === true) this.clear();
        for (const number of update.removed ?? []) this.#remove(number, animates);
        const { content } = update;
        for (const element of update.elements ?? []) this.#show(content === undefined ? element : withPin(element, content));
        if (update.active !== undefined) this.#activate(update.active);
        if (update.order !== undefined) this.#order(update.order);
        place();
        if (animates) animateBatch(this.shown.values(), before, this.#parent, viewport());
    }
    become(role, rowsBefore) {
        if (role === this.role && rowsBefore === this.rowsBefore) return;
        const all = [...this.shown.values()].map(({ data }) => data);
        this.clear();
        if (role !== this.role) this.pool.clear();
        this.role = role;
        this.rowsBefore = rowsBefore;
        for (const data of all) this.#show(data);
        this.#order(this.#lastOrder);
    }
    setCount(count) {
        if (count === this.#count) return;
        this.#count = count;
        for (const shown of this.shown.values()) this.#countIn(shown);
    }
    #countIn({ node }) {
        setAttribute(node, "aria-setsize", node.getAttribute("role") === "option" ? String(this.#count) : undefined);
    }
    clear() {
        for (const number of [...this.shown.keys()]) this.#release(number);
    }
    #show(element) {
        const shape = shapeOf(element, this.role);
        let shown = this.shown.get(element.n);
        if (shown !== undefined && shown.shape !== shape) {
            this.#release(element.n);
            shown = undefined;
        }
        if (shown === undefined) {
            shown = this.pool.take(shape, () => makeElement(element, this.role));
            this.shown.set(element.n, shown);
        }
        shown.isKept = false;
        fillElement(shown, element, this.rowsBefore);
        this.#countIn(shown);
        shown.node.classList.toggle("is-active", this.active === element.n);
        shown.node.classList.toggle("is-lifted", this.#lifted === element.n);
        if (!shown.node.isConnected) this.#parent.append(shown.node);
        if (element.pinned === undefined) this.#pinned.delete(shown);
        else this.#pinned.add(shown);
        shown.node.classList.toggle("is-pinned", element.pinned !== undefined);
        this.measuring.follow(shown);
        if (element.mark !== undefined) flash(shown);
    }
    #remove(number, fades) {
        const shown = this.shown.get(number);
        if (shown === undefined) return;
        if (number === this.active) {
            shown.isKept = true;
            return;
        }
        if (!fades) {
            this.#release(number);
            return;
        }
        this.shown.delete(number);
        this.#pinned.delete(shown);
        this.measuring.unfollow(shown);
        shown.node.id = "";
        shown.node.setAttribute("aria-hidden", "true");
        fadeOut(shown.node, () => shown.node.remove());
    }
    #release(number) {
        const shown = this.shown.get(number);
        if (shown === undefined) return;
        this.shown.delete(number);
        this.#pinned.delete(shown);
        this.measuring.unfollow(shown);
        shown.node.remove();
        for (const each of shown.node.getAnimations()) each.cancel();
        this.pool.give(shown);
    }
    #activate(number) {
        const old = this.active === null ? undefined : this.shown.get(this.active);
        this.active = number;
        if (old !== undefined && old.data.n !== number) {
            old.node.classList.remove("is-active");
            if (old.isKept) this.#release(old.data.n);
        }
        if (number !== null) this.shown.get(number)?.node.classList.add("is-active");
    }
    lift(number) {
        if (this.#lifted !== null) this.shown.get(this.#lifted)?.node.classList.remove("is-lifted");
        this.#lifted = number;
        if (number !== null) this.shown.get(number)?.node.classList.add("is-lifted");
    }
    get activeId() { return this.active !== null && this.shown.has(this.active) ? idOfElement(this.active) : undefined; }
    #order(order) {
        this.#lastOrder = order;
        const wanted = new Map();
        for (const number of order) {
            const node = this.shown.get(number)?.node;
            if (node !== undefined) wanted.set(node, wanted.size);
        }
        const present = [...this.#parent.childNodes].filter((node) => wanted.has(node));
        const staying = longestAscent(present.map((node) => wanted.get(node) ?? 0));
        const stays = new Set(present.filter((_, place) => staying.has(place)));
        let next = null;
        for (const node of [...wanted.keys()].reverse()) {
            if (!stays.has(node)) this.#parent.insertBefore(node, next);
            next = node;
        }
        const active = this.active === null ? undefined : this.shown.get(this.active);
        const first = this.shown.get(order[0]);
        if (active === undefined || first === undefined || wanted.has(active.node)) return;
        const { firstChild, lastChild } = this.#parent;
        if (active.data.row < first.data.row) {
            if (active.node !== firstChild) this.#parent.prepend(active.node);
        } else if (active.node !== lastChild) this.#parent.append(active.node);
    }
    placeAll(offset) {
        this.places.scroll(offset);
        for (const shown of this.shown.values()) this.places.place(shown, offset);
    }
    scroll(offset) {
        if (this.places.scroll(offset)) this.placeAll(offset);
        else for (const shown of this.#pinned) this.places.place(shown, offset);
    }
    covers(from, to) {
        const axis = this.places.isVertical ? 1 : 0;
        let lowest = Infinity, highest = -Infinity;
        for (const { data } of this.shown.values()) {
            if (data.pinned !== undefined || data.kind === "decoration") continue;
            const start = data.frame[axis], end = start + data.frame[axis + 2];
            if (data.n === this.active && (end <= from || start >= to)) continue;
            lowest = Math.min(lowest, start);
            highest = Math.max(highest, end);
        }
        return lowest <= from + 1 && highest >= to - 1;
    }
    elementOf(target) {
        const node = target instanceof Element ? target.closest(".row") : null;
        if (node === null || !node.id.startsWith("e")) return undefined;
        return this.shown.get(Number(node.id.slice(1)));
    }
}
// page_view/saved_state.js
const key = "jsbridge.view";
const pauseOfSaving = 1000;
const mostOffers = 2;
class SavedState {
    #timer;
    #offers = 0;
    #ask;
    constructor(ask) { this.#ask = ask; }
    offer() {
        if (this.#offers === mostOffers) return undefined;
        this.#offers++;
        try {
            return sessionStorage.getItem(key) ?? undefined;
        } catch { return undefined; }
    }
    accepted() { this.#offers = 0; }
    changed() {
        this.#timer ??= window.setTimeout(async () => {
            try {
                sessionStorage.setItem(key, await this.#ask());
            } catch { }
            this.#timer = undefined;
        }, pauseOfSaving);
    }
    stop() {
        window.clearTimeout(this.#timer);
        this.#timer = undefined;
    }
}
// page_view/search_fields.js
class SearchFields {
    #search;
    #filter;
    #matches;
    constructor(
        nodes,
        add, leave,
    ) {
        this.#search = nodes.search;
        this.#filter = nodes.filter;
        this.#matches = nodes.matches;
        for (const [name, field] of ([["search", nodes.search], ["filter", nodes.filter]])) {
            field.addEventListener("input", () => { add([name, field.value]); });
            field.addEventListener("keydown", (event) => {
                if (event.key === "Escape") {
                    if (field.value !== "") {
                        field.value = "";
                        add([name, ""]);
                    } else leave();
                } else if (event.key === "Enter" && !event.isComposing) {
                    if (name === "search") add(["next", event.shiftKey ? -1 : 1]);
                    else leave();
                } else if (event.key === "ArrowDown") leave();
                else return;
                event.preventDefault();
            });
        }
    }
    focusSearch() {
        this.#search.focus();
        this.#search.select();
    }
    show({ filter, search, matches, canSearch, canFilter }) {
        for (const [field, isUsed] of ([[this.#search, canSearch], [this.#filter, canFilter]])) {
            const box = (field.closest(".field") ?? field);
            box.hidden = isUsed !== true;
        }
        for (const [field, value] of ([[this.#filter, filter], [this.#search, search]])) {
            if (document.activeElement !== field && field.value !== value) field.value = value;
        }
        if (matches === undefined || search === "") this.#matches.textContent = "";
        else {
            const [count, isComplete] = matches;
            this.#matches.textContent = count.toLocaleString() + (isComplete ? "" : "+") + (count === 1 && isComplete ? " match" : " matches");
        }
    }
}
// page_view/server_notice.js
const patience = 1000;
const manyAttempts = 4;
class ServerNotice {
    #show;
    #timer;
    #text = "";
    #shown = "";
    #failure = "";
    constructor(show) { this.#show = show; }
    waits(text = "The server is slow to answer.") {
        this.#text = text;
        if (this.#shown !== "") this.#say(text);
        else this.#timer ??= window.setTimeout(() => { this.#say(this.#text); }, patience);
    }
    answered() {
        window.clearTimeout(this.#timer);
        this.#timer = undefined;
        if (this.#shown !== "") this.#say("");
    }
    fails(text) {
        this.#failure = text;
        this.#say(this.#shown);
    }
    recovers() {
        if (this.#failure === "") return;
        this.#failure = "";
        this.#show(this.#shown);
    }
    lost({ wasOpen, attempts }) {
        if (!wasOpen && attempts >= manyAttempts) {
            this.waits("The server cannot be reached. If it was started again, open the address that it printed.");
        } else this.waits("The connection to the server was lost. The page connects again.");
    }
    #say(text) {
        this.#shown = text;
        this.#show(this.#failure === "" ? text : this.#failure);
    }
}
// page_view/update_stream.js
const nextFrame = () => new Promise((resolve) => {
    if (document.hidden) {
        resolve();
        return;
    }
    const done = () => {
        document.removeEventListener("visibilitychange", hidden);
        resolve();
    };
    const hidden = () => { if (document.hidden) done(); };
    document.addEventListener("visibilitychange", hidden);
    requestAnimationFrame(done);
});
async function followUpdates(
    stream, apply,
    isCurrent,
) {
    while (isCurrent()) {
        const { value, done } = await stream.next();
        if (done) return;
        await nextFrame();
        if (isCurrent()) apply(value);
    }
}
// page_view/velocity.js
class Velocity {
    #samples = [];
    add(time, offset) {
        this.#samples.push({ time, offset });
        while (this.#samples.length > 2 && time - this.#samples[0].time > 100) this.#samples.shift();
        return this.#speed();
    }
    clear() { this.#samples = []; }
    #speed() {
        const first = this.#samples[0], last = this.#samples[this.#samples.length - 1];
        const time = last.time - first.time;
        return time <= 0 || time > 500 ? 0 : Math.round((last.offset - first.offset) / time * 1000);
    }
}
// page_view/scroll_map.js
const longestSpacer = 8000000;
const screensAtEnds = 50;
class ScrollMap {
    constructor(longest = longestSpacer) {
        this.longest = longest;
        this.content = 0;
        this.viewport = 0;
        this.before = this.after = 0;
        this.offset = 0;
        this.position = 0;
    }
    get whole() { return this.before + this.content + this.after; }
    get spacer() { return Math.min(this.whole, this.longest); }
    get firstOffset() { return 0 - this.before; }
    get lastOffset() { return Math.max(this.firstOffset, this.content + this.after - this.viewport); }
    get lastPosition() { return Math.max(0, this.spacer - this.viewport); }
    get isScaled() { return this.whole > this.longest; }
    clamp(offset) { return Math.min(Math.max(offset, this.firstOffset), this.lastOffset); }
    setSizes(content, viewport, inset = [this.before, this.after]) {
        this.content = content;
        this.viewport = viewport;
        this.before = inset[0] ?? 0;
        this.after = inset[1] ?? 0;
        this.offset = this.clamp(this.offset);
    }
    moveTo(offset) { this.offset = this.clamp(offset); }
    positionOf(offset) {
        const { range, lastPosition, end } = this;
        const distance = offset - this.firstOffset;
        if (!this.isScaled) return distance;
        if (distance <= end) return distance;
        if (distance >= range - end) return lastPosition - (range - distance);
        return end + (distance - end) * (lastPosition - 2 * end) / (range - 2 * end);
    }
    offsetOf(position) {
        const { range, firstOffset, lastOffset, lastPosition, end } = this;
        if (!this.isScaled || position <= end) return firstOffset + position;
        if (position >= lastPosition - end) return lastOffset - (lastPosition - position);
        return firstOffset + end + (position - end) * (range - 2 * end) / (lastPosition - 2 * end);
    }
    get range() { return this.lastOffset - this.firstOffset; }
    get end() { return Math.min(this.lastPosition / 4, screensAtEnds * this.viewport); }
    placed(position) { this.position = position; }
    scrolled(position) {
        const distance = position - this.position;
        this.position = position;
        if (distance === 0) return false;
        if (Math.abs(distance) > 2 * this.viewport) {
            this.offset = this.clamp(this.offsetOf(position));
            return false;
        }
        this.offset = this.clamp(this.offset + distance);
        const isNear = position < this.viewport || position > this.lastPosition - this.viewport;
        if (isNear && Math.abs(this.positionOf(this.offset) - position) > 1) return true;
        if (position <= 0) this.offset = this.firstOffset;
        else if (position >= this.lastPosition - 0.5) this.offset = this.lastOffset;
        return false;
    }
}
// page_view/viewport.js
class Viewport {
    map = new ScrollMap();
    isVertical = true;
    isRightToLeft = false;
    isScrolling = false;
    width = 0;
    height = 0;
    #scroller;
    #spacer;
    constructor(scroller, spacer) {
        this.#scroller = scroller;
        this.#spacer = spacer;
        this.#readSize();
    }
    #readSize() {
        this.width = this.#scroller.clientWidth;
        this.height = this.#scroller.clientHeight;
    }
    get offset() { return this.map.offset; }
    get length() { return this.isVertical ? this.height : this.width; }
    get box() { return this.#scroller.getBoundingClientRect(); }
    get #position() {
        return this.isVertical ? this.#scroller.scrollTop : Math.abs(this.#scroller.scrollLeft);
    }
    set #position(position) {
        if (this.isVertical) this.#scroller.scrollTop = position;
        else this.#scroller.scrollLeft = this.isRightToLeft ? -position : position;
    }
    take(content, isFirst) {
        this.#turn(content.direction === "vertical");
        const offset = offsetAfter(this.map.offset, content, isFirst);
        this.map.setSizes(content.length, this.length, content.inset ?? [0, 0]);
        this.map.moveTo(offset);
        this.#setSpacer(this.map.spacer + "px");
        if (!this.isScrolling) this.settle();
    }
    #setSpacer(length) {
        const { style } = this.#spacer;
        const key = this.isVertical ? "height" : "width";
        if (style[key] === length) return;
        style[key] = length;
        this.map.placed(this.#position);
    }
    #turn(isVertical) {
        if (this.isVertical === isVertical) return;
        this.isVertical = isVertical;
        this.#scroller.classList.toggle("is-horizontal", !isVertical);
        this.#spacer.style.height = this.#spacer.style.width = "";
    }
    resize() {
        this.#readSize();
        this.map.setSizes(this.map.content, this.length);
    }
    moveTo(offset) {
        this.map.moveTo(offset);
        this.settle();
    }
    settle() {
        const position = this.map.positionOf(this.map.offset);
        if (Math.abs(this.map.position - position) < 1) return;
        this.#position = position;
        this.map.placed(this.#position);
    }
    scrolled() {
        const before = this.map.offset, { position } = this.map;
        if (this.map.scrolled(this.#position)) this.settle();
        if (this.map.position !== position) this.isScrolling = true;
        return this.map.offset !== before;
    }
    scrollEnded() {
        this.isScrolling = false;
        this.settle();
    }
    pointOf({ clientX, clientY }) {
        const box = this.box;
        const across = this.isRightToLeft ? box.right - clientX : clientX - box.left;
        const down = clientY - box.top;
        return this.isVertical ? { x: across, y: down + this.offset } : { x: across + this.offset, y: down };
    }
}
// page_view/page_view.js
const messageTime = 4000;
class PageView {
    nodes;
    viewport;
    rows;
    sender;
    fields;
    details;
    #charts;
    drops;
    info;
    #counts;
    #notice;
    #announcer;
    #columns;
    #index;
    #state;
    #velocity = new Velocity();
    #version = 0;
    #isFirst = true;
    #works = () => {};
    #isRequested = false;
    #messageTimer;
    #stream;
    constructor(nodes) {
        this.nodes = nodes;
        const add = (input) => { this.sender.add(input); };
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
            this.#scrolled();
            this.viewport.scrollEnded();
            this.#state.changed();
        });
    }
    #readDirection() {
        const isRightToLeft = getComputedStyle(document.documentElement).direction === "rtl";
        this.viewport.isRightToLeft = this.rows.places.isRightToLeft = isRightToLeft;
    }
    call(name, data) {
        const { bridge } = this.sender;
        return bridge === undefined ? Promise.reject(new Error("The server is not connected.")) : bridge.callHandler(name, data);
    }
    askAbout(name, number) {
        this.sender.flush(true);
        return this.call(name, { view: number, seen: this.sender.batch.lastApplied });
    }
    async opened(bridge, works) {
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
            if (this.#stream !== stream || (error).code === "disconnected") return;
            this.#notice.fails("The server cannot show this view. " + (error).message);
        }
    }
    lost(state) {
        this.#stream = undefined;
        this.sender.begin(undefined);
        this.drops.stop();
        this.#state.stop();
        this.#notice.lost(state);
    }
    #sendVisibility() {
        this.sender.add(["hidden", document.hidden]);
        this.sender.flush(true);
    }
    apply(update) {
        const { viewport, rows, nodes } = this;
        const isFirst = this.#isFirst || update.reset === true;
        if (this.#isFirst && this.#version !== 0) this.#announcer.say("Connected again, the rows were loaded again");
        if (this.#isFirst) {
            rows.clear();
            this.#works();
            this.#state.accepted();
        }
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
    #showInfo(info) {
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
        nodes.rows.setAttribute("role", isList ? "presentation" : "rowgroup");
        nodes.grid.classList.toggle("can-reorder", info.canReorder === true);
        setAttribute(nodes.grid, "aria-multiselectable", info.isMultiple === true ? "true" : undefined);
        this.#columns.show(info);
        this.#index.show(info.indexTitles);
        this.fields.show(info);
    }
    say(text) {
        const { toast } = this.nodes;
        toast.textContent = visibleText(text);
        toast.hidden = false;
        window.clearTimeout(this.#messageTimer);
        this.#messageTimer = window.setTimeout(() => { toast.hidden = true; }, messageTime);
    }
    #scrolled() {
        const moves = this.viewport.scrolled();
        if (!moves) return;
        this.#moved();
    }
    scrollBy(distance) {
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
    request() {
        if (this.#isRequested) return;
        this.#isRequested = true;
        requestAnimationFrame(() => {
            this.#isRequested = false;
            this.sender.flush();
        });
    }
}
// page_view/index.js
const rightToLeft = new Set(["ar", "dv", "fa", "he", "ku", "ps", "ur", "yi"]);
function startPage() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const direction = fragment.get("dir") ?? (rightToLeft.has(navigator.language.split("-")[0]) ? "rtl" : "ltr");
    document.documentElement.dir = direction === "rtl" ? "rtl" : "ltr";
    const view = new PageView(findNodes());
    const commands = new PageCommands(view);
    keepConnected({
        url: `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/bridge`,
        token: fragment.get("token") ?? "",
        opened: (bridge, works) => { view.opened(bridge, works); },
        lost: (state) => {
            commands.stop();
            view.lost(state);
        },
    });
    view.nodes.grid.focus();
}
bundles.page_view = {
    __proto__: null,
    Announcer, DropData, ElementPool, InputBatch, InputSender, Measuring, SavedState, ScrollMap, ServerNotice,
    Velocity, Viewport, columnAfter, countsText, gridTemplate, isSameText, leastRoom, longestAscent, meaningOf,
    measureColumns, needsReport, offsetAfter, originalIndex, placeAlong, shapeOf, startPage, titlesThatFit,
    visibleText, withPin,
};
})
