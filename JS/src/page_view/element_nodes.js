// The nodes of an element, and what they show of it.
import { imageKind, shapeOf } from "./element_shape.js";
import { idOfElement, make, setAttribute } from "./nodes.js";
import { isSameText, showText } from "./styled_text.js";

// The width of a level, in px.
const indentation = 18;

// The roles of an element's node and of its cells, by the role of the view (PG18).
function rolesOf(/** @type {PageElement["kind"]} */ kind, /** @type {string} */ role) {
    if (kind === "decoration") return { row: "presentation", cell: undefined };
    if (role === "listbox") return { row: kind === "cell" ? "option" : "presentation", cell: undefined };
    return { row: "row", cell: kind === "cell" ? "gridcell" : "rowheader" };
}

const signs = new Map([["disclosure", "\u203A"], ["checkmark", "\u2713"], ["reorder", "\u2261"]]);

function accessoryNode(/** @type {Accessory} */ [name]) {
    if (name === "label") return make("bdi", "label");
    const part = name === "disclosure" ? "disclosure" : name === "reorder" ? "accessory" : undefined;
    return make("span", "accessory " + name, { "aria-hidden": "true", "data-part": part }, signs.get(name) ?? "");
}

function hasOutline(/** @type {PageElement} */ { accessories }) {
    return (accessories ?? []).some(([name]) => name === "outline");
}

// Returns whether the first cell of an element has nothing but a text.
function isBare(/** @type {PageElement} */ element) {
    const { secondary, image, folded } = element;
    return secondary === undefined && image === undefined && folded === undefined && !hasOutline(element);
}

const triangle = (/** @type {string} */ part) => make("span", "triangle", { "aria-hidden": "true", "data-part": part });

function addLead(/** @type {HTMLElement} */ cell, /** @type {PageElement} */ element) {
    const { folded, image } = element;
    if (folded !== undefined) cell.append(triangle("fold"));
    if (hasOutline(element)) cell.append(triangle("disclosure"));
    if (image === undefined) return;
    cell.append(imageKind(image) === "picture" ? make("img", "picture", { alt: "" }) : make("span", "sign", { "aria-hidden": "true" }));
}

// Makes the nodes of a shape; `update` fills them.
export function makeElement(/** @type {PageElement} */ element, /** @type {string} */ role) {
    const { kind, columns, secondary, accessories } = element;
    const roles = rolesOf(kind, role);
    const node = make("div", "row is-" + kind, { role: roles.row });
    const box = make("div", "box", roles.cell === undefined && roles.row !== "presentation" ? { role: "presentation" } : {});
    node.append(box);
    // A leaf of a tree is aligned with the texts of siblings that have a triangle.
    box.classList.toggle("leaf", role === "treegrid" && kind === "cell" && !hasOutline(element));
    const labels = [];
    const count = columns === undefined ? 1 : columns.length;
    box.classList.toggle("wide", columns !== undefined);
    for (let index = 0; index < count; index++) {
        const number = roles.cell === undefined ? undefined : String(index + 1);
        const attributes = { role: roles.cell, "aria-colindex": number };
        if (index > 0 || isBare(element)) {
            // The cell is its own text: one node less, and a block instead of a flexible box.
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
    /** @type {ShownElement} */
    const shown = {
        data: element, node, box, shape: shapeOf(element, role), texts: [], labels, place: "", size: "", look: "", isKept: false,
    };
    return shown;
}

function textsOf(/** @type {PageElement} */ { text, columns, secondary, accessories }) {
    const texts = columns === undefined ? [text] : [...columns];
    if (secondary !== undefined) texts.splice(1, 0, secondary);
    for (const [name, value] of accessories ?? []) if (name === "label") texts.push([[String(value), "plain"]]);
    return texts;
}

// Shows what an element has in nodes of its shape. What did not change is not touched.
export function fillElement(
    /** @type {ShownElement} */ shown, /** @type {PageElement} */ element, /** @type {number} */ rowsBefore,
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

// `rowsBefore` counts the rows of the grid that the native side does not: that of the column titles.
function fillStates(
    /** @type {ShownElement} */ { node, box }, /** @type {PageElement} */ element, /** @type {number} */ rowsBefore,
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

function setProperty(/** @type {HTMLElement} */ node, /** @type {string} */ name, /** @type {string} */ value) {
    if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}

function fillImage(/** @type {HTMLElement} */ node, /** @type {string} */ image) {
    const picture = node.querySelector("img.picture");
    if (picture !== null) setAttribute(picture, "src", image);
    const sign = node.querySelector(".sign");
    if (sign !== null && sign.textContent !== image) sign.textContent = image;
}
