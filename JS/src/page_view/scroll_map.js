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
        this.offset = 0;
        // The position of the scroller, as far as this map knows.
        this.position = 0;
    }

    get spacer() { return Math.min(this.content, this.longest); }
    get lastOffset() { return Math.max(0, this.content - this.viewport); }
    get lastPosition() { return Math.max(0, this.spacer - this.viewport); }
    get isScaled() { return this.content > this.longest; }

    clamp(/** @type {number} */ offset) { return Math.min(Math.max(offset, 0), this.lastOffset); }

    setSizes(/** @type {number} */ content, /** @type {number} */ viewport) {
        this.content = content;
        this.viewport = viewport;
        this.offset = this.clamp(this.offset);
    }

    moveTo(/** @type {number} */ offset) { this.offset = this.clamp(offset); }

    // Returns the position that belongs to an offset.
    positionOf(/** @type {number} */ offset) {
        const { lastOffset, lastPosition, end } = this;
        if (!this.isScaled) return offset;
        if (offset <= end) return offset;
        if (offset >= lastOffset - end) return lastPosition - (lastOffset - offset);
        return end + (offset - end) * (lastPosition - 2 * end) / (lastOffset - 2 * end);
    }

    offsetOf(/** @type {number} */ position) {
        const { lastOffset, lastPosition, end } = this;
        if (!this.isScaled || position <= end) return position;
        if (position >= lastPosition - end) return lastOffset - (lastPosition - position);
        return end + (position - end) * (lastOffset - 2 * end) / (lastPosition - 2 * end);
    }

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
        if (position <= 0) this.offset = 0;
        else if (position >= this.lastPosition - 0.5) this.offset = this.lastOffset;
        return false;
    }
}
