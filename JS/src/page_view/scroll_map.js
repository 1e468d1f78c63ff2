// The offset in the content, which has any length, and the position of the scroller, whose length browsers limit (PG11).
// A scroll of up to two screens moves the offset one to one; a longer one, of the thumb or by Home and End, in proportion
// (PG12). Near both ends position and offset agree, so that the last row is reached one to one from either side.
const longestSpacer = 8000000;
const screensAtEnds = 50;

export class ScrollMap {
    constructor(longest = longestSpacer) {
        this.longest = longest;
        this.content = 0;
        this.viewport = 0;
        // The distances by which the content can be scrolled beyond its start and its end.
        this.before = this.after = 0;
        this.offset = 0;
        // The position of the scroller, as far as this map knows.
        this.position = 0;
    }

    // The length of the content with the distances around it.
    get whole() { return this.before + this.content + this.after; }
    get spacer() { return Math.min(this.whole, this.longest); }
    get firstOffset() { return 0 - this.before; }
    get lastOffset() { return Math.max(this.firstOffset, this.content + this.after - this.viewport); }
    get lastPosition() { return Math.max(0, this.spacer - this.viewport); }
    get isScaled() { return this.whole > this.longest; }

    clamp(/** @type {number} */ offset) { return Math.min(Math.max(offset, this.firstOffset), this.lastOffset); }

    setSizes(/** @type {number} */ content, /** @type {number} */ viewport, inset = [this.before, this.after]) {
        this.content = content;
        this.viewport = viewport;
        this.before = inset[0] ?? 0;
        this.after = inset[1] ?? 0;
        this.offset = this.clamp(this.offset);
    }

    moveTo(/** @type {number} */ offset) { this.offset = this.clamp(offset); }

    // Returns the position that belongs to an offset.
    positionOf(/** @type {number} */ offset) {
        const { range, lastPosition, end } = this;
        const distance = offset - this.firstOffset;
        if (!this.isScaled) return distance;
        if (distance <= end) return distance;
        if (distance >= range - end) return lastPosition - (range - distance);
        return end + (distance - end) * (lastPosition - 2 * end) / (range - 2 * end);
    }

    offsetOf(/** @type {number} */ position) {
        const { range, firstOffset, lastOffset, lastPosition, end } = this;
        if (!this.isScaled || position <= end) return firstOffset + position;
        if (position >= lastPosition - end) return lastOffset - (lastPosition - position);
        return firstOffset + end + (position - end) * (range - 2 * end) / (lastPosition - 2 * end);
    }

    // The distance between the first offset and the last one.
    get range() { return this.lastOffset - this.firstOffset; }

    // The length at either end where position and offset agree.
    get end() { return Math.min(this.lastPosition / 4, screensAtEnds * this.viewport); }

    // The scroller is at `position` because the page set it, not the user.
    placed(/** @type {number} */ position) { this.position = position; }

    // The user scrolled to `position`. Returns whether the scroller has to be set to where the offset is.
    scrolled(/** @type {number} */ position) {
        const distance = position - this.position;
        this.position = position;
        if (distance === 0) return false;
        if (Math.abs(distance) > 2 * this.viewport) {
            this.offset = this.clamp(this.offsetOf(position));
            return false;
        }
        this.offset = this.clamp(this.offset + distance);
        // Near an end the browser would cut the next scroll off, so that a thumb that has drifted is set.
        const isNear = position < this.viewport || position > this.lastPosition - this.viewport;
        // The offsets of a screen keep their fraction, positions may lose it.
        if (isNear && Math.abs(this.positionOf(this.offset) - position) > 1) return true;
        if (position <= 0) this.offset = this.firstOffset;
        else if (position >= this.lastPosition - 0.5) this.offset = this.lastOffset;
        return false;
    }
}
