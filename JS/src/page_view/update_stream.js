// The updates of a view. An item is applied in an animation frame, and the next one is taken after it: the stream's credit
// is the back-pressure, and a hidden page takes nothing (PG24).
const isSeen = () => new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
    if (!document.hidden) {
        resolve();
        return;
    }
    const listener = () => {
        if (document.hidden) return;
        document.removeEventListener("visibilitychange", listener);
        resolve();
    };
    document.addEventListener("visibilitychange", listener);
});

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

// Applies the updates of a stream until it ends; `isCurrent` is false for a connection that was replaced.
export async function followUpdates(
    /** @type {PageStream} */ stream, /** @type {(update: PageUpdate) => void} */ apply,
    /** @type {() => boolean} */ isCurrent,
) {
    while (isCurrent()) {
        await isSeen();
        const { value, done } = await stream.next();
        if (done) return;
        await nextFrame();
        if (isCurrent()) apply(value);
    }
}
