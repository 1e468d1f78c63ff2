// The script's half of a view, as Swift calls it: contents of cells, questions to the delegate, menus, layouts.
import { CellCache, contentOf, failedContent, messageOf, refusePromise, wellFormed } from "./cells.js";
import { ViewDrags } from "./drags.js";
import { insetsOf, layoutRecord } from "./layouts.js";
import { requireMembers } from "./members.js";
import { numberOf, pathOf, shownPath } from "./paths.js";
import { sourceOf } from "./sources.js";
import { callable, isPromise, kindOf } from "../data_code/checks.js";
import { isObject, push } from "../engine/objects.js";
import { ArrayIsArray, Error, ObjectKeys, ReflectApply, TypeError, makeSafeMap } from "../engine/primordials.js";
import { adopt } from "../engine/promises.js";
import { reportError } from "../engine/uncaught.js";

// The properties of a view that are true or false, which are also options.
export const flags = /** @type {any} */ ({
    __proto__: null, allowsSelection: true, allowsMultipleSelection: true, allowsSelectionDuringEditing: true,
    allowsMultipleSelectionDuringEditing: true, allowsFocus: true, allowsFocusDuringEditing: true,
    remembersLastFocusedIndexPath: true, selectionFollowsFocus: true, isEditing: true, isPrefetchingEnabled: true,
    dragInteractionEnabled: true,
});
// The functions of a delegate, by their names in Swift, and whether the view uses what each returns.
const delegateMembers = /** @type {any} */ ({
    __proto__: null, willDisplay: false, didEndDisplaying: false, shouldHighlightItemAt: true, didHighlightItemAt: false,
    didUnhighlightItemAt: false, shouldSelectItemAt: true, shouldDeselectItemAt: true, didSelectItemAt: false,
    didDeselectItemAt: false, canPerformPrimaryActionForItemAt: true, performPrimaryActionForItemAt: false, canFocusItemAt: true,
    didScroll: false, didRejectUpdates: false, canMoveItemAt: true, moveItemAt: false, targetIndexPathForMoveOfItem: true,
    prefetchItemsAt: false, cancelPrefetchingForItemsAt: false, indexTitles: true, indexPathForIndexTitle: true,
    titleForItemAt: true, willDisplaySupplementaryView: false, didEndDisplayingSupplementaryView: false,
    targetContentOffsetForProposedContentOffset: true, shouldBeginMultipleSelectionInteractionAt: true,
    didBeginMultipleSelectionInteractionAt: false, didEndMultipleSelectionInteraction: false, shouldUpdateFocusIn: true,
    didUpdateFocusIn: false, indexPathForPreferredFocusedView: true, selectionFollowsFocusForItemAt: true, canEditItemAt: true,
    willBeginDragging: false, willEndDragging: true, didEndDragging: false, didEndDecelerating: false, didEndScrollingAnimation: false,
});
const optionMembers = /** @type {any} */ ({
    __proto__: null, name: true, title: true, source: true, layout: true, cell: true, header: true, footer: true, delegate: true,
    onPrimaryAction: true, menu: true, details: true, search: true, dragDelegate: true, dropDelegate: true, contentInset: true,
    backgroundView: true, ...flags,
});

// The number of menus whose actions can still be performed.
const keptMenus = 64;

// Returns the message of an action that has returned: its string, or an empty one. The message of a promise goes to
// `ended(message, isFailure)` of the host when it settles.
function messageOfAction(/** @type {any} */ answer, /** @type {(message: string, isFailure: boolean) => void} */ ended) {
    if (isPromise(answer)) {
        adopt(answer, (/** @type {unknown} */ result) => { ended(typeof result === "string" ? wellFormed(result) : "", false); }, (/** @type {unknown} */ error) => {
            reportError(error);
            ended(messageOf(error), true);
        });
    }
    return typeof answer === "string" ? wellFormed(answer) : "";
}

export class ViewScript {
    #options;
    #delegate;
    #source;
    #cells;
    #drags;
    // The view that scripts use, which functions of the delegate get.
    /** @type {any} */ view;
    // The menus that were shown last, by their numbers: pages show several at a time.
    #menus = makeSafeMap();
    #nextMenu = 1;

    constructor(/** @type {any} */ options, /** @type {string} */ name, /** @type {number} */ keptCells) {
        requireMembers(options, optionMembers, "collectionView");
        const { cell, header, footer, delegate = {}, onPrimaryAction, menu, details, search = false } = options;
        this.#cells = new CellCache(cell === undefined ? (/** @type {any} */ item) => item : callable(cell, "cell"), keptCells);
        const optional = (/** @type {any} */ member, /** @type {string} */ what) => { if (member !== undefined) callable(member, what); };
        if (header !== false) optional(header, "header");
        if (footer !== false) optional(footer, "footer");
        optional(onPrimaryAction, "onPrimaryAction");
        optional(menu, "menu");
        optional(details, "details");
        if (typeof search !== "boolean") callable(search, "search");
        if (!isObject(delegate)) throw new TypeError("a delegate is an object, not " + kindOf(delegate));
        requireMembers(delegate, delegateMembers, "a delegate");
        this.#options = { __proto__: null, header, footer, onPrimaryAction, menu, details, search, layout: options.layout, contentInset: options.contentInset };
        this.#delegate = delegate;
        this.#drags = new ViewDrags(options.dragDelegate, options.dropDelegate);
        this.#source = sourceOf(options.source, name, (ids) => this.#cells.forget(ids));
    }

    get entry() { return this.#source.entry; }

    // Returns the functions that the delegate has now, so that Swift calls no others.
    functions() {
        /** @type {any} */
        const names = [];
        const all = ObjectKeys(delegateMembers);
        for (let index = 0; index < all.length; index++) {
            if (typeof this.#delegate[all[index]] === "function") push(names, all[index]);
        }
        if (this.#options.onPrimaryAction !== undefined) push(names, "onPrimaryAction");
        if (this.#options.menu !== undefined) push(names, "menu");
        if (this.#options.details !== undefined) push(names, "details");
        if (this.#options.search !== false) push(names, "search");
        if (typeof this.#options.search === "function") push(names, "filter");
        if (this.#source.announces) push(names, "announces");
        this.#drags.addFunctions(names);
        return names;
    }

    end() { this.#source.end(); }

    // Replaces the layout or the insets while Swift reads them; a value that Swift refuses is not kept.
    replace(/** @type {"layout" | "contentInset"} */ option, /** @type {any} */ value, /** @type {() => void} */ read) {
        const before = this.#options[option];
        this.#options[option] = value;
        try {
            read();
        } catch (error) {
            this.#options[option] = before;
            throw error;
        }
    }

    layout(/** @type {string} */ unit, /** @type {number} */ width, /** @type {number} */ height) {
        return layoutRecord(this.#options.layout, { unit, width, height });
    }

    // Returns the insets for a renderer, by which a function of the script may choose; undefined for none.
    contentInset(/** @type {string} */ unit, /** @type {number} */ width, /** @type {number} */ height) {
        const { contentInset } = this.#options;
        const chosen = typeof contentInset === "function" ? contentInset({ unit, width, height }) : contentInset;
        return chosen === undefined || chosen === null ? undefined : insetsOf(chosen, "contentInset");
    }

    // Returns whether sections have headers and footers by themselves: by a function, or by the titles of the source.
    titles() {
        const has = (/** @type {any} */ given, /** @type {string} */ member) =>
            given === undefined ? !!this.entry.title(member, 0) : given !== false;
        return [has(this.#options.header, "headerTitle"), has(this.#options.footer, "footerTitle")];
    }

    // ------------------------------------------------------------ contents

    cells(/** @type {number} */ section, /** @type {number} */ from, /** @type {number} */ to) {
        const items = this.entry.window(section, from, to);
        /** @type {any} */
        const contents = [];
        for (let index = 0; index < items.length; index++) {
            push(contents, this.#cells.content(items[index], section, from + index, this.#source.isRows));
        }
        return contents;
    }

    // Forgets all contents.
    forget() { this.#cells.forget(undefined); }

    supplementary(/** @type {boolean} */ isFooter, /** @type {number} */ section) {
        const name = isFooter ? "footer" : "header";
        const make = this.#options[name];
        try {
            const answer = typeof make === "function" ? make(section) : this.entry.title(name + "Title", section);
            return answer === undefined || answer === null ? undefined : contentOf(answer, name);
        } catch (error) {
            return failedContent(name, error);
        }
    }

    #item(/** @type {number} */ section, /** @type {number} */ item) {
        const items = this.entry.window(section, item, item + 1);
        if (items.length === 0) throw new Error("the source has no item at (" + section + ", " + item + "), and has not reported its change");
        return items[0];
    }

    details(/** @type {number} */ section, /** @type {number} */ item) {
        const { details } = this.#options;
        const answer = refusePromise(details(this.#item(section, item), shownPath(section, item)), "details");
        /** @type {any} */
        const lines = [];
        const list = ArrayIsArray(answer) ? answer : [answer];
        for (let index = 0; index < list.length; index++) push(lines, contentOf(list[index], "details")[0]);
        return lines;
    }

    // Passes the text that rows must contain to the script, which changes its source by it, now or later.
    filter(/** @type {string} */ query) { this.#options.search(query, this.view); }

    // ------------------------------------------------------------ drags

    dragItems(/** @type {string} */ name, /** @type {number} */ section, /** @type {number} */ item) {
        return this.#drags.items(name, section, item, this.view);
    }
    askDrag(/** @type {string} */ name, /** @type {any} */ value) { return this.#drags.askDrag(name, value, this.view); }
    reportDrop(/** @type {string} */ name, /** @type {any} */ types) { this.#drags.reportDrop(name, types, this.view); }
    canHandle(/** @type {any} */ types) { return this.#drags.canHandle(types, this.view); }
    proposal(/** @type {any} */ types, /** @type {any} */ path) { return this.#drags.proposal(types, path, this.view); }
    performDrop(/** @type {any} */ drop, /** @type {any} */ load) { this.#drags.perform(drop, load, this.view); }

    // ------------------------------------------------------------ delegate

    // Calls a function of the delegate. Its error is reported, and the answer is then undefined.
    ask(/** @type {string} */ name, /** @type {any} */ value) {
        const { view } = this;
        try {
            const answer = ReflectApply(this.#delegate[name], this.#delegate, value === undefined ? [view] : [value, view]);
            return delegateMembers[name] ? refusePromise(answer, name) : answer;
        } catch (error) {
            reportError(error);
            return undefined;
        }
    }

    askAt(/** @type {string} */ name, /** @type {number} */ section, /** @type {number} */ item) {
        return this.ask(name, shownPath(section, item));
    }

    // Returns an answer as a path, or undefined.
    askPath(/** @type {string} */ name, /** @type {any} */ value) {
        const answer = this.ask(name, value);
        return answer === undefined || answer === null ? undefined : pathOf(answer, "the answer of " + name);
    }

    // Returns an answer as a number, or undefined.
    askNumber(/** @type {string} */ name, /** @type {any} */ value) {
        const answer = this.ask(name, value);
        return answer === undefined || answer === null ? undefined : numberOf(answer, "the answer of " + name);
    }

    primaryAction(/** @type {number} */ section, /** @type {number} */ item, /** @type {(message: string, isFailure: boolean) => void} */ ended) {
        const { view } = this;
        const path = shownPath(section, item);
        if (this.#options.onPrimaryAction !== undefined) {
            try {
                const message = messageOfAction(this.#options.onPrimaryAction(this.#item(section, item), path, view), ended);
                if (message !== "") ended(message, false);
            } catch (error) {
                reportError(error);
                ended(messageOf(error), true);
            }
        }
        if (typeof this.#delegate.performPrimaryActionForItemAt === "function") this.ask("performPrimaryActionForItemAt", path);
    }

    // Moves an item as the user has moved it, by the delegate or in the script's own array; returns whether it was moved.
    move(/** @type {number} */ section, /** @type {number} */ item, /** @type {number} */ toSection, /** @type {number} */ toItem) {
        if (typeof this.#delegate.moveItemAt === "function") {
            ReflectApply(this.#delegate.moveItemAt, this.#delegate, [{ at: shownPath(section, item), to: shownPath(toSection, toItem) }, this.view]);
            return true;
        }
        const { array } = this.#source;
        if (array === undefined) return false;
        const moved = array[item];
        const step = item < toItem ? 1 : -1;
        for (let index = item; index !== toItem; index += step) array[index] = array[index + step];
        array[toItem] = moved;
        this.entry.places = undefined;
        return true;
    }

    // ------------------------------------------------------------ menus

    // Returns the menu of an item as its number, and [title, isDestructive, isDisabled] for each action.
    menu(/** @type {number} */ section, /** @type {number} */ item) {
        const { menu } = this.#options;
        const shownItem = this.#item(section, item);
        const path = shownPath(section, item);
        const answer = refusePromise(menu(shownItem, path), "menu");
        if (!ArrayIsArray(answer)) throw new TypeError("menu returns an array of { title, action }, not " + kindOf(answer));
        /** @type {any} */
        const shown = [], /** @type {any} */ actions = [];
        for (let index = 0; index < answer.length; index++) {
            if (!isObject(answer[index])) throw new TypeError("an element of a menu is { title, action }, not " + kindOf(answer[index]));
            const { title, action, isDestructive = false, isDisabled = false } = answer[index];
            if (typeof title !== "string") throw new TypeError("the title of an action is a string, not " + kindOf(title));
            push(actions, callable(action, "the action of '" + title + "'"));
            push(shown, [title, isDestructive === true, isDisabled === true]);
        }
        const number = this.#nextMenu++;
        this.#menus.set(number, { __proto__: null, actions, item: shownItem, path, identity: this.entry.identity(section, item) });
        this.#menus.delete(number - keptMenus);
        return [number, shown];
    }

    // Performs an action of a menu on the item that the menu was made for, wherever it is now. Returns its message.
    performAction(/** @type {number} */ number, /** @type {number} */ index, /** @type {(message: string, isFailure: boolean) => void} */ ended) {
        const menu = this.#menus.get(number);
        const action = menu?.actions[index];
        if (action === undefined) throw new TypeError("the menu with this action is no longer shown");
        let { path } = menu;
        if (menu.identity !== undefined) {
            const place = this.entry.placeOf(menu.identity);
            if (place === undefined) throw new Error("the item of the menu is gone");
            path = shownPath(place[0], place[1]);
        }
        return messageOfAction(action(menu.item, path, this.view), ended);
    }
}
