// Collection views, as scripts use them: the names of Swift, with one object of options in place of labels.
import { viewHost } from "./native.js";
import { numberOf, pathOf, pathsOf, sectionOf, sectionsOf } from "./paths.js";
import { contentOf, refusePromise } from "./cells.js";
import { rectOf } from "./layouts.js";
import { flags, ViewScript } from "./script.js";
import { callable, kindOf, made, refuseScripts } from "../data_code/checks.js";
import { isObject, push } from "../engine/objects.js";
import { ObjectFreeze, ObjectKeys, ReflectApply, TypeError } from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

const positions = { __proto__: null, start: true, top: true, left: true, center: true, centeredVertically: true,
    centeredHorizontally: true, end: true, bottom: true, right: true, nearest: true };

function optionsOf(/** @type {any} */ options, /** @type {string} */ name) {
    if (!isObject(options)) throw new TypeError(name + " takes an object of options, not " + kindOf(options));
    return options;
}

function positionOf(/** @type {any} */ position) {
    if (typeof position !== "string" || !(position in positions)) {
        throw new TypeError("a scroll position is 'start', 'center', 'end' or 'nearest', or its name in UIKit, not " + (typeof position === "string" ? "'" + position + "'" : kindOf(position)));
    }
    return position;
}

class CollectionView {
    #handle;
    #script;
    // The open batches, and the functions that are called after the outermost one.
    // The completions of the batch whose function runs.
    /** @type {any} */ #completions = [];

    constructor(/** @type {any} */ key, /** @type {any} */ script, /** @type {any} */ make) {
        refuseScripts(key);
        this.#script = script;
        script.view = this;
        this.#handle = make();
    }

    // Fixed parameters: a spread would read Symbol.iterator, which a script can replace.
    #perform(
        /** @type {string} */ name, /** @type {any} */ first, /** @type {any} */ second, /** @type {any} */ third,
        /** @type {any} */ fourth,
    ) {
        return viewHost.perform(this.#handle, name, first, second, third, fourth);
    }

    #setFlag(/** @type {string} */ name, /** @type {any} */ value) { this.#perform("setFlag", name, !!value); }

    // ------------------------------------------------------------ properties

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

    // ------------------------------------------------------------ questions

    get numberOfSections() { return this.#perform("numberOfSections"); }
    numberOfItems(/** @type {any} */ options) {
        return this.#perform("numberOfItems", sectionOf(optionsOf(options, "numberOfItems").inSection, "inSection"));
    }
    get indexPathsForVisibleItems() { return this.#perform("indexPathsForVisibleItems"); }
    get indexPathsForSelectedItems() { return this.#perform("indexPathsForSelectedItems"); }
    get focusedIndexPath() { return this.#perform("focusedIndexPath"); }
    indexPathForItem(/** @type {any} */ options) {
        const { at } = optionsOf(options, "indexPathForItem");
        const { x, y } = optionsOf(at, "the point of indexPathForItem");
        return this.#perform("indexPathForItem", numberOf(x, "x"), numberOf(y, "y"));
    }
    cellForItem(/** @type {any} */ options) { return this.#at("cellForItem", options); }
    layoutAttributesForItem(/** @type {any} */ options) { return this.#at("layoutAttributesForItem", options); }
    supplementaryView(/** @type {any} */ options) {
        return this.#ofKind("supplementaryView", optionsOf(options, "supplementaryView").forElementKind, "forElementKind", options.at);
    }
    indexPathsForVisibleSupplementaryElements(/** @type {any} */ options) {
        const { ofKind } = optionsOf(options, "indexPathsForVisibleSupplementaryElements");
        return this.#ofKind("indexPathsForVisibleSupplementaryElements", ofKind, "ofKind", [0, 0]);
    }
    layoutAttributesForSupplementaryElement(/** @type {any} */ options) {
        const { ofKind, at } = optionsOf(options, "layoutAttributesForSupplementaryElement");
        return this.#ofKind("layoutAttributesForSupplementaryElement", ofKind, "ofKind", at);
    }

    #at(/** @type {string} */ name, /** @type {any} */ options) {
        const { at, animated } = optionsOf(options, name);
        const path = pathOf(at, "at");
        return this.#perform(name, path[0], path[1], !!animated);
    }

    #ofKind(/** @type {string} */ name, /** @type {any} */ kind, /** @type {string} */ label, /** @type {any} */ at) {
        if (typeof kind !== "string") throw new TypeError(label + " is 'header', 'footer' or another kind, not " + kindOf(kind));
        const path = pathOf(at, "at");
        return this.#perform(name, kind, path[0], path[1]);
    }

    #allAt(/** @type {string} */ name, /** @type {any} */ options) {
        this.#perform(name, pathsOf(optionsOf(options, name).at, "at"));
    }

    // ------------------------------------------------------------ updates

    reloadData() {
        this.#script.forget();
        this.#perform("reloadData");
    }
    performBatchUpdates(/** @type {any} */ updates, /** @type {any} */ options = {}) {
        callable(updates, "the updates of performBatchUpdates");
        const { completion } = optionsOf(options, "performBatchUpdates");
        if (completion !== undefined) callable(completion, "completion");
        // The view says whether another batch runs: one that was terminated has left its completions here.
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
        // Those of nested batches, too: they are applied with this one.
        const finish = (/** @type {boolean} */ isApplied) => {
            for (let index = 0; index < completions.length; index++) {
                try { ReflectApply(completions[index], undefined, [isApplied]); } catch (error) { reportError(error); }
            }
        };
        // A callback of the view gets `true`: the batch is applied after it.
        let isQueued;
        try {
            isQueued = this.#perform("performBatchUpdates", run, finish);
        } catch (error) {
            completions.length = count;
            throw error;
        }
        if (!isPart && isQueued !== true) finish(true);
    }
    insertItems(/** @type {any} */ options) { this.#allAt("insertItems", options); }
    deleteItems(/** @type {any} */ options) { this.#allAt("deleteItems", options); }
    reloadItems(/** @type {any} */ options) {
        this.#script.forget();
        this.#allAt("reloadItems", options);
    }
    reconfigureItems(/** @type {any} */ options) {
        this.#script.forget();
        this.#allAt("reconfigureItems", options);
    }
    moveItem(/** @type {any} */ options) {
        const { at, to } = optionsOf(options, "moveItem");
        this.#perform("moveItem", pathOf(at, "at"), pathOf(to, "to"));
    }
    insertSections(/** @type {any} */ sections) { this.#perform("insertSections", sectionsOf(sections, "insertSections")); }
    deleteSections(/** @type {any} */ sections) { this.#perform("deleteSections", sectionsOf(sections, "deleteSections")); }
    reloadSections(/** @type {any} */ sections) {
        this.#script.forget();
        this.#perform("reloadSections", sectionsOf(sections, "reloadSections"));
    }
    moveSection(/** @type {any} */ options) {
        const { section, toSection } = optionsOf(options, "moveSection");
        this.#perform("moveSection", sectionOf(section, "section"), sectionOf(toSection, "toSection"));
    }

    // ------------------------------------------------------------ scrolling, selection, focus

    scrollToItem(/** @type {any} */ options) {
        const { at, scrollPosition = "nearest", animated } = optionsOf(options, "scrollToItem");
        const path = pathOf(at, "at");
        this.#perform("scrollToItem", path[0], path[1], positionOf(scrollPosition), !!animated);
    }
    setContentOffset(/** @type {any} */ offset, /** @type {any} */ options = {}) {
        const { animated } = optionsOf(options, "setContentOffset");
        this.#perform("setContentOffset", numberOf(offset, "the offset of setContentOffset"), !!animated);
    }
    scrollRectToVisible(/** @type {any} */ rect, /** @type {any} */ options = {}) {
        const { animated } = optionsOf(options, "scrollRectToVisible");
        this.#perform("scrollRectToVisible", rectOf(rect, "the rectangle of scrollRectToVisible"), !!animated);
    }
    selectItem(/** @type {any} */ options) {
        this.#at("selectItem", options);
        if (options.scrollPosition !== undefined) this.scrollToItem(options);
    }
    deselectItem(/** @type {any} */ options) { this.#at("deselectItem", options); }
    selectAllItems() { this.#perform("selectAllItems"); }
    deselectAllItems() { this.#perform("deselectAllItems"); }
    focusItem(/** @type {any} */ options) { this.#at("focusItem", options); }

    // ------------------------------------------------------------ layout, movement, state

    setCollectionViewLayout(/** @type {any} */ layout, /** @type {any} */ options = {}) {
        const { animated, completion } = optionsOf(options, "setCollectionViewLayout");
        if (completion !== undefined) callable(completion, "completion");
        const ended = completion === undefined ? undefined : { __proto__: null, call: (/** @type {boolean} */ isShown) => { completion(isShown); } };
        this.#script.replace("layout", layout, () => this.#perform("setCollectionViewLayout", !!animated, ended));
    }
    invalidateLayout() { this.#perform("invalidateLayout"); }
    beginInteractiveMovementForItem(/** @type {any} */ options) { return this.#at("beginInteractiveMovementForItem", options); }
    updateInteractiveMovementTargetPosition(/** @type {any} */ point) {
        const { x, y } = optionsOf(point, "updateInteractiveMovementTargetPosition");
        this.#perform("updateInteractiveMovementTargetPosition", numberOf(x, "x"), numberOf(y, "y"));
    }
    endInteractiveMovement() { this.#perform("endInteractiveMovement"); }
    cancelInteractiveMovement() { this.#perform("cancelInteractiveMovement"); }
    saveState() { return this.#perform("saveState"); }
    restoreState(/** @type {any} */ archive) { return this.#perform("restoreState", archive); }

    close() {
        this.#script.end();
        this.#perform("close");
    }
}

ObjectFreeze(CollectionView.prototype);

export function collectionView(/** @type {any} */ options) {
    if (!isObject(options)) throw new TypeError("collectionView takes an object with a source, not " + kindOf(options));
    const { name = "main", title = name, backgroundView } = options;
    if (typeof name !== "string" || name === "") throw new TypeError("the name of a view is a string that is not empty, not " + kindOf(name));
    // Checked before there is a view.
    if (backgroundView !== undefined && backgroundView !== null) contentOf(backgroundView, "backgroundView");
    const script = new ViewScript(options, name, viewHost.keptCells);
    try {
        const view = new CollectionView(made, script, () => viewHost.create(script, name, "" + title));
        const names = ObjectKeys(flags);
        for (let index = 0; index < names.length; index++) {
            const flag = /** @type {"isEditing"} */ (names[index]);
            if (options[flag] !== undefined) view[flag] = options[flag];
        }
        if (backgroundView !== undefined) view.backgroundView = backgroundView;
        return view;
    } catch (error) {
        script.end();
        throw error;
    }
}
