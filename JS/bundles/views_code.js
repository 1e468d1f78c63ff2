// Made from JS/src/views_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    Entry, callable, changeHandle, isHostSource, isPromise, isQuery, kindOf, made, refuseScripts, registeredEntry,
} = bundles.data_code;
const {
    ArrayIsArray, BigInt, Error, ObjectFreeze, ObjectKeys, Promise, ReflectApply, ReflectDeleteProperty, String,
    StringPrototypeIsWellFormed, StringPrototypeSlice, TypeError, WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet,
    adopt, isObject, loadedBundles, makeSafeMap, push, reportError,
} = bundles.engine;
// views_code/native.js
const viewHost = host.views;
// views_code/paths.js
const maximum = 2147483647;
function isIndex(value) {
    return typeof value === "number" && value >= 0 && value <= maximum && value % 1 === 0;
}
function pathOf(value, what) {
    const isPair = ArrayIsArray(value) && value.length === 2;
    const section = isPair ? value[0] : isObject(value) ? value.section : undefined;
    const item = isPair ? value[1] : isObject(value) ? value.item : undefined;
    if (!isIndex(section) || !isIndex(item)) {
        throw new TypeError(what + " is a path { section, item }, not " + (isObject(value) ? "an object without two indices from 0 to " + maximum : kindOf(value)));
    }
    return [section, item];
}
function pathsOf(value, what) {
    if (!ArrayIsArray(value)) throw new TypeError(what + " is an array of paths, not " + kindOf(value));
    const paths = [];
    for (let index = 0; index < value.length; index++) push(paths, pathOf(value[index], "an element of " + what));
    return paths;
}
function sectionOf(value, what) {
    if (!isIndex(value)) throw new TypeError(what + " is the index of a section, not " + kindOf(value));
    return value;
}
function sectionsOf(value, what) {
    if (!ArrayIsArray(value)) return [sectionOf(value, what)];
    const sections = [];
    for (let index = 0; index < value.length; index++) push(sections, sectionOf(value[index], "an element of " + what));
    return sections;
}
function numberOf(value, what) {
    if (typeof value !== "number" || value !== value) {
        throw new TypeError(what + " is a number, not " + (value === value ? kindOf(value) : "NaN"));
    }
    return value;
}
const shownPath = (section, item) => ({ section, item });
// views_code/members.js
function choicesOf(known) {
    const all = ObjectKeys(known);
    let list = "'" + all[0] + "'";
    for (let index = 1; index < all.length; index++) list += (index === all.length - 1 ? " or '" : ", '") + all[index] + "'";
    return list;
}
function requireMembers(
    object, known, what, hint = "",
) {
    const names = ObjectKeys(object);
    for (let index = 0; index < names.length; index++) {
        if (names[index] in known) continue;
        const all = ObjectKeys(known);
        let list = all[0];
        for (let other = 1; other < all.length; other++) list += ", " + all[other];
        throw new TypeError(what + " has no member '" + names[index] + "': its members are " + list + hint);
    }
}
// views_code/cells.js
const styles = {
    __proto__: null, plain: true, strong: true, secondary: true, match: true, failure: true, accent: true, inserted: true,
    deleted: true, moved: true, updated: true,
};
const accessories = { __proto__: null, disclosure: true, checkmark: true, reorder: true };
const members = { __proto__: null, text: true, spans: true, secondary: true, image: true, accessories: true, indentation: true };
function wellFormed(text) {
    if (StringPrototypeIsWellFormed(text)) return text;
    let result = "";
    for (let index = 0; index < text.length; index++) {
        const pair = StringPrototypeSlice(text, index, index + 2), unit = StringPrototypeSlice(text, index, index + 1);
        if (pair.length === 2 && !StringPrototypeIsWellFormed(unit) && StringPrototypeIsWellFormed(pair)) {
            result += pair;
            index++;
        } else {
            result += StringPrototypeIsWellFormed(unit) ? unit : "\uFFFD";
        }
    }
    return result;
}
function refusePromise(answer, what) {
    if (isPromise(answer)) throw new TypeError(what + " must return its value, not a promise: a frame cannot wait");
    return answer;
}
function textOf(value, what) {
    switch (typeof value) {
    case "string": return wellFormed(value);
    case "number": case "bigint": case "boolean": return String(value);
    case "undefined": return "";
    default:
        if (value === null) return "";
        throw new TypeError(what + " is a string, not " + kindOf(value));
    }
}
function spanOf(span) {
    if (!isObject(span)) return [textOf(span, "a span"), "plain"];
    const isPair = ArrayIsArray(span);
    const text = isPair ? span[0] : span.text;
    const style = isPair ? span[1] : span.style;
    if (style !== undefined && !(typeof style === "string" && style in styles)) {
        throw new TypeError("a style is " + choicesOf(styles) + ", not " + (typeof style === "string" ? "'" + style + "'" : kindOf(style)));
    }
    return [textOf(text, "the text of a span"), style ?? "plain"];
}
function styledText(value, what) {
    if (!ArrayIsArray(value)) return textOf(value, what);
    const spans = [];
    for (let index = 0; index < value.length; index++) push(spans, spanOf(value[index]));
    return spans;
}
function accessoryOf(value) {
    if (typeof value === "string" && value in accessories) return [value];
    if (isObject(value)) {
        const { label, outline } = value;
        if (label !== undefined) return ["label", textOf(label, "a label")];
        if (typeof outline === "boolean") return ["outline", outline];
    }
    throw new TypeError("an accessory is 'disclosure', 'checkmark', 'reorder', { label } or { outline: true or false }, not " + kindOf(value));
}
function contentOf(answer, what) {
    if (ArrayIsArray(answer) || !isObject(answer)) return [styledText(answer, "a cell"), "", "", [], 0];
    refusePromise(answer, what);
    requireMembers(answer, members, "a content", ". A view of objects needs the option cell");
    const { text, spans, secondary, image, accessories: marks, indentation = 0 } = answer;
    if (typeof indentation !== "number" || !(indentation >= 0 && indentation <= 100)) {
        throw new TypeError("the indentation of a cell is a number from 0 to 100, not " + (typeof indentation === "number" ? indentation : kindOf(indentation)));
    }
    const list = [];
    if (marks !== undefined && !ArrayIsArray(marks)) throw new TypeError("the accessories of a cell are an array, not " + kindOf(marks));
    for (let index = 0; marks !== undefined && index < marks.length; index++) push(list, accessoryOf(marks[index]));
    return [styledText(spans ?? text, "the text of a cell"), styledText(secondary, "the secondary text of a cell"), textOf(image, "the image of a cell"), list, indentation];
}
function messageOf(error) {
    try { return wellFormed(String(error instanceof Error ? error.message : error)); } catch { return ""; }
}
function failedContent(what, error) {
    reportError(error);
    return [[[what + " failed: " + messageOf(error), "failure"]], "", "", [], 0];
}
class CellCache {
    #make;
    #maximum;
    #byKey = makeSafeMap();
    #byObject = new WeakMap();
    #usesPath;
    constructor(make, maximum) {
        this.#make = make;
        this.#maximum = maximum;
        this.#usesPath = make.length > 1;
    }
    content(item, section, index, isRow) {
        if (this.#usesPath) return this.#made(item, { section, item: index });
        const isHeldByObject = !isRow && isObject(item);
        const key = isRow ? item.$id : item;
        const known = isHeldByObject ? WeakMapPrototypeGet(this.#byObject, item) : this.#byKey.get(key);
        if (known !== undefined) return known;
        const content = this.#made(item, undefined);
        if (isHeldByObject) {
            WeakMapPrototypeSet(this.#byObject, item, content);
        } else {
            if (this.#byKey.size >= this.#maximum) this.#byKey.clear();
            this.#byKey.set(key, content);
        }
        return content;
    }
    #made(item, path) {
        const make = this.#make;
        try {
            return contentOf(path === undefined ? make(item) : make(item, path), "cell");
        } catch (error) {
            return failedContent("cell", error);
        }
    }
    forget(ids) {
        if (ids === undefined) {
            this.#byKey.clear();
            this.#byObject = new WeakMap();
            return;
        }
        for (let index = 0; index < ids.length; index++) this.#byKey.delete(ids[index]);
    }
}
// views_code/layouts.js
function layoutRecord(layout, environment) {
    const chosen = typeof layout === "function" ? layout(environment) : layout;
    if (chosen === undefined || chosen === null) return { __proto__: null, options: { __proto__: null, type: "list" } };
    if (typeof chosen === "string") return { __proto__: null, options: { __proto__: null, type: chosen } };
    if (!isObject(chosen) || ArrayIsArray(chosen)) throw new TypeError("a layout is 'list', 'flow', an object with a type, or one with layoutAttributesForElements, not " + kindOf(chosen));
    if (typeof chosen.layoutAttributesForElements === "function") return { __proto__: null, script: new CustomLayout(chosen) };
    const { type = "list" } = chosen;
    const options = ({ __proto__: null, ...chosen, type });
    let hasFunctions = false;
    const names = ObjectKeys(layoutFunctions);
    for (let index = 0; index < names.length; index++) {
        const name = names[index];
        ReflectDeleteProperty(options, name);
        if (chosen[name] === undefined) continue;
        callable(chosen[name], name);
        const owner = layoutFunctions[name] === "section" ? "compositional" : "flow";
        if (type !== owner) throw new TypeError(name + " is a member of the layout '" + owner + "'");
        hasFunctions = true;
    }
    return hasFunctions ? { __proto__: null, options, functions: new LayoutFunctions(chosen) } : { __proto__: null, options };
}
const layoutFunctions = ({
    __proto__: null, sizeForItemAt: "size", insetForSectionAt: "insets", minimumLineSpacingForSectionAt: "length",
    minimumInteritemSpacingForSectionAt: "length", referenceSizeForHeaderInSection: "size", referenceSizeForFooterInSection: "size",
    sectionProvider: "section",
});
class LayoutFunctions {
    #layout;
    constructor(layout) { this.#layout = layout; }
    names() { return functionsOf(this.#layout, ObjectKeys(layoutFunctions)); }
    size(section, item) {
        return sizeOf(refusePromise(this.#layout.sizeForItemAt(shownPath(section, item)), "sizeForItemAt"), "sizeForItemAt");
    }
    lengths(name, section) {
        const answer = refusePromise(ReflectApply(this.#layout[name], this.#layout, [section]), name);
        switch (layoutFunctions[name]) {
        case "size": return sizeOf(answer, name);
        case "insets": return insetsOf(answer, name + " of a layout");
        default: return [numberOf(answer, name)];
        }
    }
    section(section, width, height) {
        const environment = { containerSize: { width, height } };
        const answer = refusePromise(this.#layout.sectionProvider(section, environment), "sectionProvider");
        if (!isObject(answer)) throw new TypeError("sectionProvider of a layout returns a section { group }, not " + kindOf(answer));
        return answer;
    }
}
function functionsOf(object, all) {
    const names = [];
    for (let index = 0; index < all.length; index++) if (typeof object[all[index]] === "function") push(names, all[index]);
    return names;
}
function sizeOf(size, name) {
    if (!isObject(size)) throw new TypeError(name + " of a layout returns { width, height }, not " + kindOf(size));
    return [numberOf(size.width, "the width of " + name), numberOf(size.height, "the height of " + name)];
}
function insetsOf(insets, name) {
    if (typeof insets === "number") return [insets, insets, insets, insets];
    if (!isObject(insets)) throw new TypeError(name + " is a number, or { top, left, bottom, right }, not " + kindOf(insets));
    const { top = 0, left = 0, bottom = 0, right = 0 } = insets;
    return [numberOf(top, "the top of " + name), numberOf(left, "the left of " + name), numberOf(bottom, "the bottom of " + name), numberOf(right, "the right of " + name)];
}
function rectOf(value, what) {
    if (!isObject(value)) throw new TypeError(what + " is { x, y, width, height }, not " + kindOf(value));
    const { x = 0, y = 0, width, height } = value;
    return [numberOf(x, what + ".x"), numberOf(y, what + ".y"), numberOf(width, what + ".width"), numberOf(height, what + ".height")];
}
function finiteOf(value, what) {
    if (numberOf(value, what) - value !== 0) throw new TypeError(what + " is a finite number, not " + value);
    return value;
}
function matrixOf(transform) {
    if (transform === undefined) return undefined;
    if (!ArrayIsArray(transform) || transform.length !== 6) throw new TypeError("the transform of layout attributes is an array of six numbers, not " + kindOf(transform));
    const numbers = [];
    for (let index = 0; index < 6; index++) push(numbers, finiteOf(transform[index], "a number of a transform"));
    return numbers;
}
function attributesOf(value) {
    if (!isObject(value)) throw new TypeError("layout attributes are { indexPath, frame }, not " + kindOf(value));
    const { indexPath, frame, zIndex = 0, alpha = 1, isHidden = false, transform, kind, category = kind === undefined ? "cell" : "supplementary" } = value;
    if (category !== "cell" && category !== "supplementary" && category !== "decoration") {
        throw new TypeError("the category of layout attributes is 'cell', 'supplementary' or 'decoration'");
    }
    const path = pathOf(indexPath, "indexPath");
    const rect = rectOf(frame, "the frame of " + category + " (" + path[0] + ", " + path[1] + ")");
    return [category, kind ?? "", path[0], path[1], rect[0], rect[1], rect[2], rect[3], numberOf(zIndex, "zIndex"), finiteOf(alpha, "alpha"), isHidden === true, matrixOf(transform)];
}
const optionalFunctions = [
    "layoutAttributesForSupplementaryView", "layoutAttributesForDecorationView", "shouldInvalidateLayout", "targetContentOffset",
    "initialLayoutAttributesForAppearingItem", "finalLayoutAttributesForDisappearingItem",
    "initialLayoutAttributesForAppearingSupplementaryElement", "finalLayoutAttributesForDisappearingSupplementaryElement",
    "initialLayoutAttributesForAppearingDecorationElement", "finalLayoutAttributesForDisappearingDecorationElement",
    "targetIndexPath", "layoutAttributesForInteractivelyMovingItem",
];
class CustomLayout {
    #layout;
    constructor(layout) { this.#layout = { __proto__: layout }; }
    functions() { return functionsOf(this.#layout, optionalFunctions); }
    get isHorizontal() { return this.#layout.scrollDirection === "horizontal"; }
    #call(member, values, fallback) {
        const method = this.#layout[member];
        return typeof method === "function" ? ReflectApply(method, this.#layout, values) : fallback;
    }
    prepare(view) {
        this.#call("prepare", [view], undefined);
        const property = this.#layout.collectionViewContentSize;
        const size = typeof property === "function" ? ReflectApply(property, this.#layout, [view]) : property;
        if (!isObject(size)) throw new TypeError("collectionViewContentSize of a layout is { width, height }, not " + kindOf(size));
        return [numberOf(size.width, "collectionViewContentSize.width"), numberOf(size.height, "collectionViewContentSize.height")];
    }
    elements(x, y, width, height) {
        const answer = this.#call("layoutAttributesForElements", [{ in: { x, y, width, height } }], []);
        if (!ArrayIsArray(answer)) throw new TypeError("layoutAttributesForElements of a layout returns an array, not " + kindOf(answer));
        const list = [];
        for (let index = 0; index < answer.length; index++) push(list, attributesOf(answer[index]));
        return list;
    }
    item(section, item) {
        const answer = this.#call("layoutAttributesForItem", [{ at: { section, item } }], undefined);
        return answer === undefined || answer === null ? undefined : attributesOf(answer);
    }
    attributes(member, options) {
        const answer = refusePromise(this.#call(member, [options], undefined), member);
        return answer === undefined || answer === null ? undefined : attributesOf(answer);
    }
    path(options) {
        const answer = refusePromise(this.#call("targetIndexPath", [options], undefined), "targetIndexPath");
        return answer === undefined || answer === null ? undefined : pathOf(answer, "the answer of targetIndexPath");
    }
    invalidates(x, y, width, height) {
        const answer = this.#call("shouldInvalidateLayout", [{ forBoundsChange: { x, y, width, height } }], undefined);
        return typeof answer === "boolean" ? answer : undefined;
    }
    target(offset, velocity) {
        const answer = this.#call("targetContentOffset", [{ forProposedContentOffset: offset, withScrollingVelocity: velocity }], undefined);
        return answer === undefined ? undefined : numberOf(answer, "targetContentOffset");
    }
}
// views_code/drags.js
const dragMembers = ({
    __proto__: null, itemsForBeginning: true, itemsForAddingTo: true, dragSessionWillBegin: false, dragSessionDidEnd: false,
    dragSessionAllowsMoveOperation: true, dragSessionIsRestrictedToDraggingApplication: true,
});
const dropMembers = {
    __proto__: null, canHandle: true, dropSessionDidEnter: false, dropSessionDidUpdate: true, dropSessionDidExit: false,
    performDropWith: false, dropSessionDidEnd: false,
};
const operations = { __proto__: null, copy: true, move: true, forbidden: true, cancel: true };
function checked(delegate, members, what, required) {
    if (delegate === undefined) return undefined;
    if (!isObject(delegate)) throw new TypeError(what + " is an object, not " + kindOf(delegate));
    requireMembers(delegate, members, what);
    if (typeof delegate[required] !== "function") throw new TypeError(what + " has the function " + required);
    return delegate;
}
function addFunctionsOf(delegate, members, names) {
    const all = delegate === undefined ? [] : ObjectKeys(members);
    for (let index = 0; index < all.length; index++) {
        if (typeof delegate[all[index]] === "function") push(names, all[index]);
    }
}
class ViewDrags {
    #drag;
    #drop;
    constructor(drag, drop) {
        this.#drag = checked(drag, dragMembers, "a dragDelegate", "itemsForBeginning");
        this.#drop = checked(drop, dropMembers, "a dropDelegate", "performDropWith");
    }
    addFunctions(names) {
        addFunctionsOf(this.#drag, dragMembers, names);
        addFunctionsOf(this.#drop, dropMembers, names);
    }
    items(name, section, item, view) {
        const answer = refusePromise(ReflectApply(this.#drag[name], this.#drag, [shownPath(section, item), view]), name);
        if (answer === undefined || answer === null) return [];
        if (!ArrayIsArray(answer)) throw new TypeError(name + " returns an array of items, not " + kindOf(answer));
        const items = [];
        for (let index = 0; index < answer.length; index++) push(items, formsOf(answer[index]));
        return items;
    }
    askDrag(name, value, view) {
        const answer = ReflectApply(this.#drag[name], this.#drag, value === undefined ? [view] : [value, view]);
        return dragMembers[name] ? refusePromise(answer, name) === true : undefined;
    }
    reportDrop(name, types, view) {
        ReflectApply(this.#drop[name], this.#drop, [{ types }, view]);
    }
    canHandle(types, view) { return this.#drop.canHandle({ types }, view) !== false; }
    proposal(types, path, view) {
        const answer = this.#drop.dropSessionDidUpdate({ types, destinationIndexPath: path }, view);
        if (typeof answer !== "string" || !(answer in operations)) {
            throw new TypeError("dropSessionDidUpdate returns 'copy', 'move', 'forbidden' or 'cancel', not " + kindOf(answer));
        }
        return answer;
    }
    perform(drop, load, view) {
        const items = [];
        for (let index = 0; index < drop.items.length; index++) {
            const { types, path } = drop.items[index];
            push(items, {
                types, sourceIndexPath: path,
                text: (type = "text/plain") => new Promise((resolve, reject) => {
                    load(index, "" + type, { resolve, reject: (message) => { reject(new Error(message)); } });
                }),
            });
        }
        const { operation, destination } = drop;
        const coordinator = { items, operation, destinationIndexPath: destination };
        try {
            ReflectApply(this.#drop.performDropWith, this.#drop, [coordinator, view]);
        } catch (error) {
            reportError(error);
        }
    }
}
function formsOf(item) {
    if (typeof item === "string") return ["text/plain", item];
    if (!isObject(item)) throw new TypeError("an item of a drag is a string, or an object of texts by MIME type, not " + kindOf(item));
    const forms = [];
    const types = ObjectKeys(item);
    for (let index = 0; index < types.length; index++) {
        const text = item[types[index]];
        if (typeof text !== "string") throw new TypeError("the form '" + types[index] + "' of a dragged item is a string, not " + kindOf(text));
        push(forms, types[index]);
        push(forms, text);
    }
    return forms;
}
// views_code/sources.js
const maximumLookups = 1000;
function sourceOf(source, name, forget) {
    if (isQuery(source)) return ofQuery(source, name, forget);
    if (isHostSource(source)) return ofHostSource(source, name, forget);
    const registered = registeredEntry(source);
    if (registered !== undefined) return ofRegistered(registered, forget);
    if (ArrayIsArray(source)) return ofArray(source, name);
    if (!isObject(source)) {
        throw new TypeError("the source of a view is an array, a query, a data source, or an object with numberOfItems and window or item, not " + kindOf(source));
    }
    return { entry: new Entry(name, source), isRows: false, announces: false, array: undefined, end() {} };
}
function ofRegistered(entry, forget) {
    let isFollowed = true;
    entry.follow((changes) => {
        if (isFollowed && changes !== undefined) forget();
        return isFollowed;
    });
    return { entry, isRows: false, announces: true, array: undefined, end() { isFollowed = false; } };
}
function ofQuery(query, name, forget) {
    const entry = new Entry(name, {
        __proto__: null,
        numberOfSections: () => query.numberOfSections,
        numberOfItems: (section) => query.numberOfItems(section),
        window: (section, from, to) => query.window(section, from, to),
        headerTitle: (section) => query.section(section)?.name,
        indexOf: (identity) => {
            const id = +identity;
            if (id !== id) return undefined;
            return query.indexOf(id >= -9007199254740991 && id <= 9007199254740991 ? id : BigInt(identity));
        },
    });
    const end = query.onChange((changes) => {
        forget(changedIDs(changes));
        entry.notify(changeHandle(changes));
    });
    return { entry, isRows: true, announces: true, array: undefined, end };
}
function changedIDs(changes) {
    const { ids } = changes;
    if (ids.length > maximumLookups) return undefined;
    const changed = [];
    for (let index = 0; index < ids.length; index++) {
        const id = ids[index];
        push(changed, typeof id === "bigint" && id >= -9007199254740991n && id <= 9007199254740991n ? +String(id) : id);
    }
    return changed;
}
function ofHostSource(source, name, forget) {
    const entry = new Entry(name, {
        __proto__: null,
        numberOfSections: () => source.numberOfSections,
        numberOfItems: (section) => source.numberOfItems(section),
        window: (section, from, to) => source.window(section, from, to),
        headerTitle: (section) => source.headerTitle(section),
        footerTitle: (section) => source.footerTitle(section),
        indexOf: (identity) => source.indexOf(identity),
    });
    const end = source.onChange((changes) => {
        forget();
        entry.notify(changes.all ? "all" : announced(changes));
    });
    return { entry, isRows: false, announces: true, array: undefined, end };
}
function announced(changes) {
    const list = [];
    for (let index = 0; index < changes.sections.length; index++) {
        const { type, from, to } = changes.sections[index];
        push(list, { __proto__: null, kind: "section", type, from, to });
    }
    for (let index = 0; index < changes.items.length; index++) push(list, changes.items[index]);
    return list;
}
function ofArray(array, name) {
    const entry = new Entry(name, {
        __proto__: null,
        numberOfItems: (section) => section === 0 ? array.length : 0,
        numberOfSections: 1,
        item: (section, item) => array[item],
    });
    return { entry, isRows: false, announces: false, array, end() {} };
}
// views_code/script.js
const flags = ({
    __proto__: null, allowsSelection: true, allowsMultipleSelection: true, allowsSelectionDuringEditing: true,
    allowsMultipleSelectionDuringEditing: true, allowsFocus: true, allowsFocusDuringEditing: true,
    remembersLastFocusedIndexPath: true, selectionFollowsFocus: true, isEditing: true, isPrefetchingEnabled: true,
    dragInteractionEnabled: true,
});
const delegateMembers = ({
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
const optionMembers = ({
    __proto__: null, name: true, title: true, source: true, layout: true, cell: true, header: true, footer: true, delegate: true,
    onPrimaryAction: true, menu: true, details: true, search: true, dragDelegate: true, dropDelegate: true, contentInset: true,
    backgroundView: true, ...flags,
});
const keptMenus = 64;
function messageOfAction(answer, ended) {
    if (isPromise(answer)) {
        adopt(answer, (result) => { ended(typeof result === "string" ? wellFormed(result) : "", false); }, (error) => {
            reportError(error);
            ended(messageOf(error), true);
        });
    }
    return typeof answer === "string" ? wellFormed(answer) : "";
}
class ViewScript {
    #options;
    #delegate;
    #source;
    #cells;
    #drags;
    view;
    #menus = makeSafeMap();
    #nextMenu = 1;
    constructor(options, name, keptCells) {
        requireMembers(options, optionMembers, "collectionView");
        const { cell, header, footer, delegate = {}, onPrimaryAction, menu, details, search = false } = options;
        this.#cells = new CellCache(cell === undefined ? (item) => item : callable(cell, "cell"), keptCells);
        const optional = (member, what) => { if (member !== undefined) callable(member, what); };
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
    functions() {
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
    replace(option, value, read) {
        const before = this.#options[option];
        this.#options[option] = value;
        try {
            read();
        } catch (error) {
            this.#options[option] = before;
            throw error;
        }
    }
    layout(unit, width, height) {
        return layoutRecord(this.#options.layout, { unit, width, height });
    }
    contentInset(unit, width, height) {
        const { contentInset } = this.#options;
        const chosen = typeof contentInset === "function" ? contentInset({ unit, width, height }) : contentInset;
        return chosen === undefined || chosen === null ? undefined : insetsOf(chosen, "contentInset");
    }
    titles() {
        const has = (given, member) =>
            given === undefined ? !!this.entry.title(member, 0) : given !== false;
        return [has(this.#options.header, "headerTitle"), has(this.#options.footer, "footerTitle")];
    }
    cells(section, from, to) {
        const items = this.entry.window(section, from, to);
        const contents = [];
        for (let index = 0; index < items.length; index++) {
            push(contents, this.#cells.content(items[index], section, from + index, this.#source.isRows));
        }
        return contents;
    }
    forget() { this.#cells.forget(undefined); }
    supplementary(isFooter, section) {
        const name = isFooter ? "footer" : "header";
        const make = this.#options[name];
        try {
            const answer = typeof make === "function" ? make(section) : this.entry.title(name + "Title", section);
            return answer === undefined || answer === null ? undefined : contentOf(answer, name);
        } catch (error) {
            return failedContent(name, error);
        }
    }
    #item(section, item) {
        const items = this.entry.window(section, item, item + 1);
        if (items.length === 0) throw new Error("the source has no item at (" + section + ", " + item + "), and has not reported its change");
        return items[0];
    }
    details(section, item) {
        const { details } = this.#options;
        const answer = refusePromise(details(this.#item(section, item), shownPath(section, item)), "details");
        const lines = [];
        const list = ArrayIsArray(answer) ? answer : [answer];
        for (let index = 0; index < list.length; index++) push(lines, contentOf(list[index], "details")[0]);
        return lines;
    }
    filter(query) { this.#options.search(query, this.view); }
    dragItems(name, section, item) {
        return this.#drags.items(name, section, item, this.view);
    }
    askDrag(name, value) { return this.#drags.askDrag(name, value, this.view); }
    reportDrop(name, types) { this.#drags.reportDrop(name, types, this.view); }
    canHandle(types) { return this.#drags.canHandle(types, this.view); }
    proposal(types, path) { return this.#drags.proposal(types, path, this.view); }
    performDrop(drop, load) { this.#drags.perform(drop, load, this.view); }
    ask(name, value) {
        const { view } = this;
        try {
            const answer = ReflectApply(this.#delegate[name], this.#delegate, value === undefined ? [view] : [value, view]);
            return delegateMembers[name] ? refusePromise(answer, name) : answer;
        } catch (error) {
            reportError(error);
            return undefined;
        }
    }
    askAt(name, section, item) {
        return this.ask(name, shownPath(section, item));
    }
    askPath(name, value) {
        const answer = this.ask(name, value);
        return answer === undefined || answer === null ? undefined : pathOf(answer, "the answer of " + name);
    }
    askNumber(name, value) {
        const answer = this.ask(name, value);
        return answer === undefined || answer === null ? undefined : numberOf(answer, "the answer of " + name);
    }
    primaryAction(section, item, ended) {
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
    move(section, item, toSection, toItem) {
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
    menu(section, item) {
        const { menu } = this.#options;
        const shownItem = this.#item(section, item);
        const path = shownPath(section, item);
        const answer = refusePromise(menu(shownItem, path), "menu");
        if (!ArrayIsArray(answer)) throw new TypeError("menu returns an array of { title, action }, not " + kindOf(answer));
        const shown = [], actions = [];
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
    performAction(number, index, ended) {
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
// views_code/view.js
const positions = { __proto__: null, start: true, top: true, left: true, center: true, centeredVertically: true,
    centeredHorizontally: true, end: true, bottom: true, right: true, nearest: true };
function optionsOf(options, name) {
    if (!isObject(options)) throw new TypeError(name + " takes an object of options, not " + kindOf(options));
    return options;
}
function positionOf(position) {
    if (typeof position !== "string" || !(position in positions)) {
        throw new TypeError("a scroll position is 'start', 'center', 'end' or 'nearest', or its name in UIKit, not " + (typeof position === "string" ? "'" + position + "'" : kindOf(position)));
    }
    return position;
}
class CollectionView {
    #handle;
    #script;
    #completions = [];
    constructor(key, script, make) {
        refuseScripts(key);
        this.#script = script;
        script.view = this;
        this.#handle = make();
    }
    #perform(
        name, first, second, third,
        fourth,
    ) {
        return viewHost.perform(this.#handle, name, first, second, third, fourth);
    }
    #setFlag(name, value) { this.#perform("setFlag", name, !!value); }
    get name() { return this.#perform("name"); }
    get title() { return this.#perform("title"); }
    set title(value) { this.#perform("setTitle", "" + (value ?? "")); }
    get status() { return this.#perform("status"); }
    set status(value) { this.#perform("setStatus", "" + (value ?? "")); }
    get unit() { return this.#perform("unit"); }
    get bounds() { return this.#perform("bounds"); }
    get contentSize() { return this.#perform("contentSize"); }
    get contentOffset() { return this.#perform("contentOffset"); }
    set contentOffset(value) { this.#perform("setContentOffset", numberOf(value, "contentOffset")); }
    get contentInset() { return this.#perform("contentInset"); }
    set contentInset(value) { this.#script.replace("contentInset", value, () => this.#perform("setContentInset")); }
    get backgroundView() { return this.#perform("backgroundView"); }
    set backgroundView(value) {
        const isNone = value === undefined || value === null;
        this.#perform("setBackgroundView", isNone ? undefined : contentOf(value, "backgroundView"));
    }
    get allowsSelection() { return this.#perform("allowsSelection"); }
    set allowsSelection(value) { this.#setFlag("allowsSelection", value); }
    get allowsMultipleSelection() { return this.#perform("allowsMultipleSelection"); }
    set allowsMultipleSelection(value) { this.#setFlag("allowsMultipleSelection", value); }
    get allowsSelectionDuringEditing() { return this.#perform("allowsSelectionDuringEditing"); }
    set allowsSelectionDuringEditing(value) { this.#setFlag("allowsSelectionDuringEditing", value); }
    get allowsMultipleSelectionDuringEditing() { return this.#perform("allowsMultipleSelectionDuringEditing"); }
    set allowsMultipleSelectionDuringEditing(value) { this.#setFlag("allowsMultipleSelectionDuringEditing", value); }
    get allowsFocus() { return this.#perform("allowsFocus"); }
    set allowsFocus(value) { this.#setFlag("allowsFocus", value); }
    get allowsFocusDuringEditing() { return this.#perform("allowsFocusDuringEditing"); }
    set allowsFocusDuringEditing(value) { this.#setFlag("allowsFocusDuringEditing", value); }
    get remembersLastFocusedIndexPath() { return this.#perform("remembersLastFocusedIndexPath"); }
    set remembersLastFocusedIndexPath(value) { this.#setFlag("remembersLastFocusedIndexPath", value); }
    get selectionFollowsFocus() { return this.#perform("selectionFollowsFocus"); }
    set selectionFollowsFocus(value) { this.#setFlag("selectionFollowsFocus", value); }
    get isEditing() { return this.#perform("isEditing"); }
    set isEditing(value) { this.#setFlag("isEditing", value); }
    get isPrefetchingEnabled() { return this.#perform("isPrefetchingEnabled"); }
    set isPrefetchingEnabled(value) { this.#setFlag("isPrefetchingEnabled", value); }
    get dragInteractionEnabled() { return this.#perform("dragInteractionEnabled"); }
    set dragInteractionEnabled(value) { this.#setFlag("dragInteractionEnabled", value); }
    get isDragging() { return this.#perform("isDragging"); }
    get isDecelerating() { return this.#perform("isDecelerating"); }
    get hasActiveDrag() { return this.#perform("hasActiveDrag"); }
    get hasActiveDrop() { return this.#perform("hasActiveDrop"); }
    get counters() { return this.#perform("counters"); }
    get lastError() { return this.#perform("lastError"); }
    get numberOfSections() { return this.#perform("numberOfSections"); }
    numberOfItems(options) {
        return this.#perform("numberOfItems", sectionOf(optionsOf(options, "numberOfItems").inSection, "inSection"));
    }
    get indexPathsForVisibleItems() { return this.#perform("indexPathsForVisibleItems"); }
    get indexPathsForSelectedItems() { return this.#perform("indexPathsForSelectedItems"); }
    get focusedIndexPath() { return this.#perform("focusedIndexPath"); }
    indexPathForItem(options) {
        const { at } = optionsOf(options, "indexPathForItem");
        const { x, y } = optionsOf(at, "the point of indexPathForItem");
        return this.#perform("indexPathForItem", numberOf(x, "x"), numberOf(y, "y"));
    }
    cellForItem(options) { return this.#at("cellForItem", options); }
    layoutAttributesForItem(options) { return this.#at("layoutAttributesForItem", options); }
    supplementaryView(options) {
        return this.#ofKind("supplementaryView", optionsOf(options, "supplementaryView").forElementKind, "forElementKind", options.at);
    }
    indexPathsForVisibleSupplementaryElements(options) {
        const { ofKind } = optionsOf(options, "indexPathsForVisibleSupplementaryElements");
        return this.#ofKind("indexPathsForVisibleSupplementaryElements", ofKind, "ofKind", [0, 0]);
    }
    layoutAttributesForSupplementaryElement(options) {
        const { ofKind, at } = optionsOf(options, "layoutAttributesForSupplementaryElement");
        return this.#ofKind("layoutAttributesForSupplementaryElement", ofKind, "ofKind", at);
    }
    #at(name, options) {
        const { at, animated } = optionsOf(options, name);
        const path = pathOf(at, "at");
        return this.#perform(name, path[0], path[1], !!animated);
    }
    #ofKind(name, kind, label, at) {
        if (typeof kind !== "string") throw new TypeError(label + " is 'header', 'footer' or another kind, not " + kindOf(kind));
        const path = pathOf(at, "at");
        return this.#perform(name, kind, path[0], path[1]);
    }
    #allAt(name, options) {
        this.#perform(name, pathsOf(optionsOf(options, name).at, "at"));
    }
    reloadData() {
        this.#script.forget();
        this.#perform("reloadData");
    }
    performBatchUpdates(updates, options = {}) {
        callable(updates, "the updates of performBatchUpdates");
        const { completion } = optionsOf(options, "performBatchUpdates");
        if (completion !== undefined) callable(completion, "completion");
        const isPart = this.#perform("isCollectingBatch") === true;
        const completions = isPart ? this.#completions : [];
        const count = completions.length;
        const run = () => {
            const outer = this.#completions;
            this.#completions = completions;
            if (completion !== undefined) push(completions, completion);
            try {
                refusePromise(ReflectApply(updates, undefined, []), "the function of performBatchUpdates");
            } finally {
                this.#completions = outer;
            }
        };
        const finish = (isApplied) => {
            for (let index = 0; index < completions.length; index++) {
                try { ReflectApply(completions[index], undefined, [isApplied]); } catch (error) { reportError(error); }
            }
        };
        let isQueued;
        try {
            isQueued = this.#perform("performBatchUpdates", run, finish);
        } catch (error) {
            completions.length = count;
            throw error;
        }
        if (!isPart && isQueued !== true) finish(true);
    }
    insertItems(options) { this.#allAt("insertItems", options); }
    deleteItems(options) { this.#allAt("deleteItems", options); }
    reloadItems(options) {
        this.#script.forget();
        this.#allAt("reloadItems", options);
    }
    reconfigureItems(options) {
        this.#script.forget();
        this.#allAt("reconfigureItems", options);
    }
    moveItem(options) {
        const { at, to } = optionsOf(options, "moveItem");
        this.#perform("moveItem", pathOf(at, "at"), pathOf(to, "to"));
    }
    insertSections(sections) { this.#perform("insertSections", sectionsOf(sections, "insertSections")); }
    deleteSections(sections) { this.#perform("deleteSections", sectionsOf(sections, "deleteSections")); }
    reloadSections(sections) {
        this.#script.forget();
        this.#perform("reloadSections", sectionsOf(sections, "reloadSections"));
    }
    moveSection(options) {
        const { section, toSection } = optionsOf(options, "moveSection");
        this.#perform("moveSection", sectionOf(section, "section"), sectionOf(toSection, "toSection"));
    }
    scrollToItem(options) {
        const { at, scrollPosition = "nearest", animated } = optionsOf(options, "scrollToItem");
        const path = pathOf(at, "at");
        this.#perform("scrollToItem", path[0], path[1], positionOf(scrollPosition), !!animated);
    }
    setContentOffset(offset, options = {}) {
        const { animated } = optionsOf(options, "setContentOffset");
        this.#perform("setContentOffset", numberOf(offset, "the offset of setContentOffset"), !!animated);
    }
    scrollRectToVisible(rect, options = {}) {
        const { animated } = optionsOf(options, "scrollRectToVisible");
        this.#perform("scrollRectToVisible", rectOf(rect, "the rectangle of scrollRectToVisible"), !!animated);
    }
    selectItem(options) {
        this.#at("selectItem", options);
        if (options.scrollPosition !== undefined) this.scrollToItem(options);
    }
    deselectItem(options) { this.#at("deselectItem", options); }
    selectAllItems() { this.#perform("selectAllItems"); }
    deselectAllItems() { this.#perform("deselectAllItems"); }
    focusItem(options) { this.#at("focusItem", options); }
    setCollectionViewLayout(layout, options = {}) {
        const { animated, completion } = optionsOf(options, "setCollectionViewLayout");
        if (completion !== undefined) callable(completion, "completion");
        const ended = completion === undefined ? undefined : { __proto__: null, call: (isShown) => { completion(isShown); } };
        this.#script.replace("layout", layout, () => this.#perform("setCollectionViewLayout", !!animated, ended));
    }
    invalidateLayout() { this.#perform("invalidateLayout"); }
    beginInteractiveMovementForItem(options) { return this.#at("beginInteractiveMovementForItem", options); }
    updateInteractiveMovementTargetPosition(point) {
        const { x, y } = optionsOf(point, "updateInteractiveMovementTargetPosition");
        this.#perform("updateInteractiveMovementTargetPosition", numberOf(x, "x"), numberOf(y, "y"));
    }
    endInteractiveMovement() { this.#perform("endInteractiveMovement"); }
    cancelInteractiveMovement() { this.#perform("cancelInteractiveMovement"); }
    saveState() { return this.#perform("saveState"); }
    restoreState(archive) { return this.#perform("restoreState", archive); }
    close() {
        this.#script.end();
        this.#perform("close");
    }
}
ObjectFreeze(CollectionView.prototype);
function collectionView(options) {
    if (!isObject(options)) throw new TypeError("collectionView takes an object with a source, not " + kindOf(options));
    const { name = "main", title = name, backgroundView } = options;
    if (typeof name !== "string" || name === "") throw new TypeError("the name of a view is a string that is not empty, not " + kindOf(name));
    if (backgroundView !== undefined && backgroundView !== null) contentOf(backgroundView, "backgroundView");
    const script = new ViewScript(options, name, viewHost.keptCells);
    try {
        const view = new CollectionView(made, script, () => viewHost.create(script, name, "" + title));
        const names = ObjectKeys(flags);
        for (let index = 0; index < names.length; index++) {
            const flag = (names[index]);
            if (options[flag] !== undefined) view[flag] = options[flag];
        }
        if (backgroundView !== undefined) view.backgroundView = backgroundView;
        return view;
    } catch (error) {
        script.end();
        throw error;
    }
}
// views_code/index.js
loadedBundles.views_code = { __proto__: null, collectionView };
})
