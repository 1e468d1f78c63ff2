// The updates of a view. An item is applied in an animation frame, and the next one is taken after it: the stream's credit
// is the back-pressure. A hidden page has no frames and says so to the native side, which then makes no updates (PG24).
// Those that were under way are applied without a frame, so that one update follows when the page is seen again.
const nextFrame = () => new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
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

// Applies the updates of a stream until it ends; `isCurrent` is false for a connection that was replaced.
export async function followUpdates(
    /** @type {PageStream} */ stream, /** @type {(update: PageUpdate) => void} */ apply,
    /** @type {() => boolean} */ isCurrent,
) {
    while (isCurrent()) {
        const { value, done } = await stream.next();
        if (done) return;
        await nextFrame();
        if (isCurrent()) apply(value);
    }
}
