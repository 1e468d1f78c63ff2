// Our own script side of the bridge in a real browser, over a WebSocket.
import "./connection.js";
