// The globals of the set `web`. Compiled, never run.
const bytes: Uint8Array = crypto.getRandomValues(new Uint8Array(16));
const id: string = crypto.randomUUID();
// @ts-expect-error only arrays of integers
crypto.getRandomValues(new Float32Array(1));

const text: string = atob(btoa("a"));
const agent: string = navigator.userAgent;
// @ts-expect-error it cannot be constructed
new Navigator();

addEventListener("error", (event) => { const line: number = event.lineno; event.preventDefault(); return line; });
addEventListener("unhandledrejection", (event) => event.promise.catch(() => {}));
onerror = (message, filename, lineno, colno, error) => message + filename + lineno + colno + error === "";
onunhandledrejection = (event) => { event.preventDefault(); };
onerror = null;
reportError(new Error("a"));
const filename: string = new ErrorEvent("error", { message: "m", lineno: 1 }).filename;
// @ts-expect-error a promise is needed
new PromiseRejectionEvent("x", {});

const { port1, port2 } = new MessageChannel();
port1.onmessage = (event) => { const first: MessagePort | undefined = event.ports[0]; return first; };
port1.addEventListener("message", (event) => event.data);
port2.postMessage({ list: [1] }, [new ArrayBuffer(1), port1]);
port2.postMessage(1, { transfer: [port1] });
port2.start();
// @ts-expect-error not an iterable
port2.postMessage(1, 2);
structuredClone(port1, { transfer: [port1] });

const time: number = performance.now() + performance.timeOrigin;
const mark: PerformanceMark = performance.mark("a", { detail: { x: 1 }, startTime: 1 });
const measure: PerformanceMeasure = performance.measure("b", { start: "a", end: 2 });
performance.measure("c", "a", "b").detail;
const names: string[] = performance.getEntriesByType("mark").map((entry) => entry.name);
new PerformanceObserver((list) => list.getEntries()).observe({ type: "mark", buffered: true });
const quota: number | null = new QuotaExceededError("m", { quota: 1 }).quota;
const codes: [20, 25] = [new DOMException("m", "AbortError").ABORT_ERR, DOMException.DATA_CLONE_ERR];
[bytes, filename, names, quota, codes, id, text, agent, time, mark, measure, self.performance];

// URLs.
const url = new URL("../a", new URL("https://h/b/c"));
url.search = "?x=1";
const parsedURL: URL | null = URL.parse("x", url.href);
const params: URLSearchParams = url.searchParams;
for (const [name, value] of params) params.append(name.trim(), value.trim());
new URLSearchParams(new Map([["a", "b"]]));
new URLSearchParams({ a: "b", c: 1 });
params.forEach((value, name, all) => all.has(name, value));
// @ts-expect-error The parameters of a URL cannot be replaced.
url.searchParams = params;
// @ts-expect-error A pair has a value.
params.append("a");
parsedURL?.toJSON().trim();
