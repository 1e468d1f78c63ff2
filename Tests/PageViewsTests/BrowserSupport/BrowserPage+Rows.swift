import BridgeValues

/// A row as a page shows it, in pixels from the top of the scroller.
struct ShownRow: Equatable {
    let id: String
    let text: String
    let number: Int
    let top: Double
    let height: Double
}

/// Questions to a page about its rows.
extension BrowserPage {
    /// A script that runs before those of a page, and records its messages, its movements, violations of its policy.
    private static let probe = """
        globalThis.probe = {
            received: 0, answers: 0, sent: [], moves: 0, violations: [], live: [],
            scroller: () => document.getElementById('scroller'),
            offset: (row) => row.getBoundingClientRect().top - probe.scroller().getBoundingClientRect().top,
            cells: () => [...document.querySelectorAll('#rows > .row.is-cell:not([aria-hidden])')],
            seen: () => probe.cells().filter((row) => probe.offset(row) > -row.offsetHeight && probe.offset(row) < probe.scroller().clientHeight),
            row: (text) => probe.cells().find((row) => row.querySelector('.text').textContent === text),
            top: (text) => { const row = probe.row(text); return row === undefined ? null : probe.offset(row); },
            text: (row) => row.querySelector('.text').textContent,
            number: (row) => Number(row.getAttribute('aria-rowindex') ?? row.getAttribute('aria-posinset')),
            list: () => probe.seen().map((row) => [row.id, probe.text(row), probe.number(row), probe.offset(row), row.offsetHeight]),
            frame: () => new Promise((done) => requestAnimationFrame(done)),
            active: () => document.getElementById(document.getElementById('grid').getAttribute('aria-activedescendant')),
            color: (text) => { const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true }); context.fillStyle = text; context.fillRect(0, 0, 1, 1); return [...context.getImageData(0, 0, 1, 1).data]; },
        };
        document.addEventListener('securitypolicyviolation', (event) => probe.violations.push(event.violatedDirective + ' ' + event.blockedURI));
        document.addEventListener('DOMContentLoaded', () => {
            const live = document.getElementById('live');
            if (live !== null) new MutationObserver(() => probe.live.push([performance.now(), live.textContent])).observe(live, { childList: true, characterData: true, subtree: true });
        });
        {
            const { animate } = Element.prototype;
            Element.prototype.animate = function (frames, options) {
                if (frames.some((frame) => frame.translate !== undefined)) probe.moves++;
                return animate.call(this, frames, options);
            };
            const Socket = WebSocket;
            globalThis.WebSocket = class WebSocket extends Socket {
                constructor(...values) {
                    super(...values);
                    this.addEventListener('message', ({ data }) => {
                        if (data.includes('"sequence":')) probe.received++;
                        if (data.includes('"responseId":')) probe.answers++;
                    });
                }
                send(text) {
                    probe.sent.push(text);
                    super.send(text);
                }
            };
        }
        """

    /// Watches all documents that the page loads from now on.
    func prepare() async throws {
        try await call("Emulation.setFocusEmulationEnabled", ["enabled": true])
        try await call("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.probe)])
    }

    /// Loads the page of a server, and waits for its rows.
    func show(_ server: RowServer, fragment: String = "") async throws {
        try await load(server.address + fragment)
        try await waitForRows()
    }

    func waitForRows() async throws { try await wait(until: "probe.seen().length > 0") }

    /// Returns the rows on the screen from the top.
    func rows() async throws -> [ShownRow] {
        try await evaluate("probe.list()").array.map { row in
            ShownRow(
                id: row[0].stringValue ?? "",
                text: row[1].stringValue ?? "",
                number: row[2].integer ?? 0,
                top: row[3].number,
                height: row[4].number
            )
        }
        .sorted { $0.top < $1.top }
    }

    /// Moves the thumb, as a user does.
    func moveThumb(to fraction: Double) async throws {
        try await evaluate(
            "{ const node = probe.scroller(); node.scrollTop = (node.scrollHeight - node.clientHeight) * \(fraction); }"
        )
    }

    /// Returns a number.
    func number(_ expression: String) async throws -> Double { try await evaluate(expression).number }

    /// Returns a string.
    func text(_ expression: String) async throws -> String {
        try await evaluate(expression).stringValue ?? ""
    }
}
