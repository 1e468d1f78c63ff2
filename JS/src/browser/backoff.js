// The wait between attempts to connect: it doubles up to a limit, and differs from page to page, so that the pages of a
// server that came back do not come together.
export function makeBackoff(/** @type {{ first: number, longest: number, random: () => number }} */ { first, longest, random }) {
    let attempts = 0;
    return {
        get attempts() { return attempts; },
        // Returns the milliseconds to wait before the next attempt.
        next() {
            const whole = Math.min(longest, first * 2 ** Math.min(attempts, 30));
            attempts++;
            return whole / 2 + whole / 2 * random();
        },
        reset() { attempts = 0; },
    };
}
