// The nodes of index.html that the page uses.
import { byId } from "./nodes.js";

export function findNodes() {
    return {
        app: byId("app"), title: byId("title"), status: byId("status"), counts: byId("counts"), notice: byId("notice"), toast: byId("toast"),
        live: byId("live"), grid: byId("grid"), columns: byId("columns"), scroller: byId("scroller"), ghost: byId("ghost"),
        rows: byId("rows"), spacer: byId("spacer"), index: byId("index"), details: byId("details"),
        detailsBody: byId("details-body"), detailsButton: byId("details-button"),
        charts: byId("charts"), chartsBody: byId("charts-body"), chartsButton: byId("charts-button"), menu: byId("menu"), preview: byId("preview"),
        help: /** @type {HTMLDialogElement} */ (byId("help")), helpKeys: byId("help-keys"), helpButton: byId("help-button"),
        search: /** @type {HTMLInputElement} */ (byId("search")), filter: /** @type {HTMLInputElement} */ (byId("filter")),
        matches: byId("matches"),
    };
}
