// The charts beside the view: tables of labels and figures, so that each reader can read them, with a bar in SVG for each.
import { make } from "./nodes.js";
import { classOf } from "./styled_text.js";
import { visibleText } from "./visible_text.js";

const svgNamespace = "http://www.w3.org/2000/svg";

function rect(/** @type {string} */ className, /** @type {number} */ start, /** @type {number} */ length, /** @type {string} */ unit) {
    const node = document.createElementNS(svgNamespace, "rect");
    node.setAttribute("class", className);
    node.setAttribute("x", start + "%");
    node.setAttribute("width", length + unit);
    node.setAttribute("height", "100%");
    return node;
}

// Bars of values below zero lead to the left of a line at zero, which only charts with such values have.
function plot(/** @type {number} */ length, /** @type {boolean} */ hasNegative) {
    const svg = document.createElementNS(svgNamespace, "svg");
    const zero = hasNegative ? 50 : 0, scale = hasNegative ? 50 : 100;
    const size = Math.abs(length) * scale;
    // A value that is not zero can be seen, however small.
    if (length !== 0) svg.append(rect("length", length < 0 ? zero - size : zero, Math.max(size, 0.5), "%"));
    if (hasNegative) svg.append(rect("zero", zero, 1, "px"));
    return svg;
}

function table(/** @type {BarChart} */ { title, bars }) {
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

export class ChartsPanel {
    #panel;
    #body;
    #button;
    // The user has closed the panel, so that charts that change leave it closed.
    #isClosed = false;

    constructor(/** @type {{ panel: HTMLElement, body: HTMLElement, button: HTMLElement }} */ { panel, body, button }) {
        this.#panel = panel;
        this.#body = body;
        this.#button = button;
        button.addEventListener("click", () => {
            this.#isClosed = !panel.hidden;
            this.#setOpen(panel.hidden);
        });
    }

    // Shows all charts of the view; the first ones open the panel.
    show(/** @type {BarChart[]} */ charts) {
        this.#body.replaceChildren(...charts.map(table));
        this.#button.hidden = charts.length === 0;
        this.#setOpen(charts.length > 0 && !this.#isClosed);
    }

    #setOpen(/** @type {boolean} */ isOpen) {
        this.#panel.hidden = !isOpen;
        this.#button.setAttribute("aria-expanded", String(isOpen));
    }
}
