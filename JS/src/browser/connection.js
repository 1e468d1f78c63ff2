// The connection of the page: a WebSocket, and the side of the bridge that lives as long as it. A lost connection is made
// again after a wait (PG23), with a new side.
import { makeBackoff } from "./backoff.js";
import { makeSide } from "./side.js";

// Connects, and again after each loss. `opened` gets the bridge of a new connection, and a function to call when it works:
// a server that ends each connection is not asked ever faster. `lost` is called once for each loss
// and each failed attempt, with whether a connection has existed.
export function keepConnected(
    /**
     * @type {{
     *     url: string, token: string, opened: (bridge: PageBridge, works: () => void) => void,
     *     lost: (state: { wasOpen: boolean, attempts: number }) => void,
     * }}
     */
    { url, token, opened, lost },
) {
    const backoff = makeBackoff({ first: 200, longest: 8000, random: Math.random });
    /** @type {number | undefined} */
    let timer;
    /** @type {WebSocket | undefined} */
    let current;
    let isClosed = false;

    function connect() {
        timer = undefined;
        const socket = new WebSocket(url, ["jsbridge", "token." + token]);
        current = socket;
        /** @type {ReturnType<typeof makeSide> | undefined} */
        let side;
        socket.onopen = () => {
            side = makeSide((text) => { if (socket.readyState === WebSocket.OPEN) socket.send(text); });
            opened(side.bridge, () => { backoff.reset(); });
        };
        socket.onmessage = ({ data }) => { if (typeof data === "string") side?.receive(data); };
        socket.onclose = ({ reason }) => {
            side?.end(reason === "" ? "The connection to the server was lost." : reason);
            // A page that was kept and shown again has a new socket before the end of the old one is reported.
            if (isClosed || socket !== current) return;
            const wait = backoff.next();
            lost({ wasOpen: side !== undefined, attempts: backoff.attempts });
            timer = window.setTimeout(connect, wait);
        };
    }

    // A page that is seen or online again does not wait for the end of a long wait.
    const hurry = () => {
        if (timer === undefined || document.hidden) return;
        window.clearTimeout(timer);
        connect();
    };
    document.addEventListener("visibilitychange", hurry);
    window.addEventListener("online", hurry);
    window.addEventListener("pagehide", () => { isClosed = true; });
    window.addEventListener("pageshow", ({ persisted }) => {
        if (!persisted) return;
        isClosed = false;
        if (timer === undefined) connect();
    });
    connect();
}
