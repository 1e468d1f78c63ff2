// A page that shows a view of the server: connects, shows what comes, sends what the user does.
import { PageCommands } from "./page_commands.js";
import { findNodes } from "./page_nodes.js";
import { PageView } from "./page_view.js";
import { keepConnected } from "../browser/connection.js";

const rightToLeft = new Set(["ar", "dv", "fa", "he", "ku", "ps", "ur", "yi"]);

export function startPage() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    // The direction of the reader's language, or of the address.
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
