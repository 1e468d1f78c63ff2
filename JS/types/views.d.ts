/** Collection views, for scripts of a bridge that was created with views. */

/** A style of text, which each renderer draws in its own way. */
type TextStyle =
    | "plain" | "strong" | "secondary" | "match" | "failure" | "accent" | "inserted" | "deleted" | "moved" | "updated";

/** A part of a text with one style: a string, `{ text, style }`, or `[text, style]`. */
type TextSpan = string | number | { text: string; style?: TextStyle } | readonly [text: string, style?: TextStyle];

/** Text: a string, or spans. */
type StyledText = string | number | bigint | boolean | null | undefined | readonly TextSpan[];

/** A mark at the end of a cell. */
type CellAccessory = "disclosure" | "checkmark" | "reorder" | { label: string } | { outline: boolean };

/** The content of a cell, a header or a footer. It is data, which is drawn by a terminal, a page, or a test. */
interface CellContent {
    /** The first line. */
    text?: StyledText;
    /** The first line in spans; replaces `text`. */
    spans?: readonly TextSpan[];
    /** The second line, or text at the end of the first one. */
    secondary?: StyledText;
    /** The name of an image. A renderer without an image of the name draws none. */
    image?: string;
    /** The marks at the end of the cell. */
    accessories?: readonly CellAccessory[];
    /** The number of steps by which the content is indented. */
    indentation?: number;
}

/** A path as `{ section, item }` or `[section, item]`. */
type PathLike = RowPath | readonly [section: number, item: number];

/** The position to which an item is scrolled; `nearest` moves least. The names of UIKit are accepted, too. */
type ScrollPosition =
    | "start" | "center" | "end" | "nearest"
    | "top" | "centeredVertically" | "bottom" | "left" | "centeredHorizontally" | "right";

/** A size. Lengths are characters in a terminal and CSS pixels in a page. */
interface ViewSize {
    width: number;
    height: number;
}

/** A rectangle in the content of a view. Lengths are characters in a terminal and CSS pixels in a page. */
interface ViewRect extends ViewSize {
    x: number;
    y: number;
}

/** Distances from the edges; a number is the same for all. */
type EdgeInsets = number | { top?: number; left?: number; bottom?: number; right?: number };

/** A list of rows, which are measured by the renderer when they are shown. The default. */
interface ListLayoutOptions {
    type?: "list";
    /** The direction in which the content extends; `vertical` by default. */
    scrollDirection?: "vertical" | "horizontal";
    /** The length of a row until it is measured; by default one line of text. */
    rowLength?: number;
    /** The distance between rows; 0 by default. */
    rowSpacing?: number;
    /** The distances between the edges of a section and its rows; 0 by default. */
    sectionInset?: EdgeInsets;
    /** By default one line if sections have titles, or the view has `header`. */
    headerLength?: number;
    /** The length of footers; by default one line if sections have footer titles, or the view has `footer`. */
    footerLength?: number;
    /** True by default. */
    sectionHeadersPinToVisibleBounds?: boolean;
    /** The kind of the decoration view behind the rows of each section; none by default. */
    backgroundKind?: string;
}

/**
 * Items in lines, as in UICollectionViewFlowLayout. An error of a function is reported, and the value for all items or
 * sections applies.
 */
interface FlowLayoutOptions {
    type: "flow";
    /** The direction in which the content extends; `vertical` by default. */
    scrollDirection?: "vertical" | "horizontal";
    /** The size of an item; by default 20 x 3 characters or 160 x 96 pixels. */
    itemSize?: ViewSize;
    /**
     * Returns the size of an item; by default all have `itemSize`. It is called for each item when the layout is
     * prepared, and again for new and reloaded items. An error is reported, and the item has `itemSize`.
     */
    sizeForItemAt?(path: RowPath): ViewSize;
    /** Returns the distances between the edges of a section and its items; by default `sectionInset`. */
    insetForSectionAt?(section: number): EdgeInsets;
    /** Returns the least distance between lines of a section; by default `minimumLineSpacing`. */
    minimumLineSpacingForSectionAt?(section: number): number;
    /** Returns the least distance between items of a line; by default `minimumInteritemSpacing`. */
    minimumInteritemSpacingForSectionAt?(section: number): number;
    /** Returns the size of a section's header; by default `headerReferenceSize`. */
    referenceSizeForHeaderInSection?(section: number): ViewSize;
    /** Returns the size of a section's footer; by default `footerReferenceSize`. */
    referenceSizeForFooterInSection?(section: number): ViewSize;
    /** The least distance between lines; by default 1 character or 10 pixels. */
    minimumLineSpacing?: number;
    /** The least distance between items of a line; by default 1 character or 10 pixels. */
    minimumInteritemSpacing?: number;
    /** The distances between the edges of a section and its items; 0 by default. */
    sectionInset?: EdgeInsets;
    /** The size of headers; 0 by default. */
    headerReferenceSize?: ViewSize;
    /** The size of footers; 0 by default. */
    footerReferenceSize?: ViewSize;
    /** True if the header of a visible section stays in the viewport; false by default. */
    sectionHeadersPinToVisibleBounds?: boolean;
    /** True if the footer of a visible section stays in the viewport; false by default. */
    sectionFootersPinToVisibleBounds?: boolean;
    /** The kind of the decoration view behind the items of each section; none by default. */
    backgroundKind?: string;
}

/** Groups of equal items across the view. */
interface GridLayoutOptions {
    type: "grid";
    /** The direction in which the content extends; `vertical` by default. */
    scrollDirection?: "vertical" | "horizontal";
    /** The number of items in a group; 2 by default. */
    columns?: number;
    /** The length of a group. */
    rowLength?: number;
    /** The distance between items and between groups; 0 by default. */
    spacing?: number;
    /** The distances between the edges of a section and its groups; 0 by default. */
    sectionInset?: EdgeInsets;
}

/**
 * A width or a height in a compositional layout: an absolute length, also as a number; an estimated one, until the
 * renderer measures the cell along the scroll direction; or a part of the width or height of the group or section around
 * it, from 0 to 100.
 */
type CollectionLayoutDimension =
    | number | { absolute: number } | { estimated: number } | { fractionalWidth: number } | { fractionalHeight: number };

/** The size of a part of a compositional layout. A dimension that is left out fills the group or section around it. */
interface CollectionLayoutSize {
    /** The width. */
    widthDimension?: CollectionLayoutDimension;
    /** The height. */
    heightDimension?: CollectionLayoutDimension;
}

/** An item of a group. */
interface CollectionLayoutItem {
    /** The size, relative to the group; lengths are at least 1 character or 8 pixels. */
    layoutSize: CollectionLayoutSize;
    /** The space around the item, which is a part of its size; 0 by default. */
    contentInsets?: EdgeInsets;
}

/** A group of items and other groups, one after the other. Up to 16 groups may be in each other. */
type CollectionLayoutGroup = {
    /** The direction in which the parts follow each other. */
    axis: "horizontal" | "vertical";
    /** The size, relative to the group or section around it; lengths are at least 1 character or 8 pixels. */
    layoutSize: CollectionLayoutSize;
    /** The distance between two parts; 0 by default. */
    interItemSpacing?: number;
} & ({
    /** The parts, which are repeated as long as they fit. */
    subitems: readonly (CollectionLayoutItem | CollectionLayoutGroup)[];
} | {
    /** The part that is repeated. */
    subitem: CollectionLayoutItem | CollectionLayoutGroup;
    /** The number of parts, which share the length of the group; from 1 to 500. */
    count: number;
});

/** A header or footer of a section in a compositional layout. A section has at most one at each edge. */
interface CollectionLayoutBoundarySupplementaryItem {
    /** The kind, by which the view has the content of `header` or `footer`. */
    elementKind: "header" | "footer";
    /** The size, of which only the length along the scroll direction is used. */
    layoutSize: CollectionLayoutSize;
    /** The edge of the section; by default `top` for a header and `bottom` for a footer. */
    alignment?: "top" | "bottom";
    /** True if the view stays at the edge of the viewport while its section is there; false by default. */
    pinToVisibleBounds?: boolean;
}

/** The decoration view behind the groups of a section. */
interface CollectionLayoutDecorationItem {
    /** The kind, by which renderers draw the view. */
    elementKind: string;
}

/** A section of a compositional layout: a group that is repeated for all items, or the rows of a list. */
type CollectionLayoutSection = {
    /** The group. */
    group: CollectionLayoutGroup;
    /** The distance between two groups; 0 by default. */
    interGroupSpacing?: number;
    /** The distances of the groups from the edges of the section; 0 by default. */
    contentInsets?: EdgeInsets;
    /**
     * The way in which the section scrolls across the layout; by default it does not. The terminal and the page scroll
     * it to show an item, by the focus and `scrollToItem`; wheel and touch do not move it yet, so all ways but "none"
     * are alike there.
     */
    orthogonalScrollingBehavior?: "none" | "continuous" | "continuousGroupLeadingBoundary" | "groupPaging" | "paging";
    /** The header and the footer; none by default. */
    boundarySupplementaryItems?: readonly CollectionLayoutBoundarySupplementaryItem[];
    /** The view behind the groups; none by default. */
    decorationItems?: readonly [] | readonly [CollectionLayoutDecorationItem];
} | {
    /** The options of a list in the direction of the layout. */
    list: Omit<ListLayoutOptions, "type" | "scrollDirection">;
};

/** Sections that are described as groups of items, as in UICollectionViewCompositionalLayout. */
type CompositionalLayoutOptions = {
    type: "compositional";
    /** The direction in which the sections follow each other; `vertical` by default. */
    scrollDirection?: "vertical" | "horizontal";
    /** The distance between two sections; 0 by default. */
    interSectionSpacing?: number;
} & ({
    /** The description of all sections. */
    section: CollectionLayoutSection;
} | {
    /**
     * Returns the description of a section. It is called for each section when the layout is prepared, and after each
     * batch. An error, or a wrong description, fails the frame with a sentence; the renderer keeps the one before.
     */
    sectionProvider(section: number, environment: { readonly containerSize: ViewSize }): CollectionLayoutSection;
});

/** The position of one element in a layout of a script. */
interface LayoutAttributes {
    /** The path of the element. */
    indexPath: PathLike;
    /** The rectangle of the element in the content; `x` and `y` are 0 by default. */
    frame: ViewRect;
    /** Higher elements are in front. */
    zIndex?: number;
    /** The opacity, from 0 to 1; 1 by default. */
    alpha?: number;
    /** True if the element is not drawn; false by default. */
    isHidden?: boolean;
    /**
     * The numbers of a transformation in the order of `matrix()` in CSS, which a page applies and a terminal ignores; by
     * default that which changes nothing.
     */
    transform?: readonly number[];
    /** The kind of a supplementary or decoration view: `header`, `footer`, or another one. */
    kind?: string;
    /** `cell` by default; `supplementary` for one with a kind. */
    category?: "cell" | "supplementary" | "decoration";
}

/**
 * A layout that a script implements: the contract of `CollectionLayout` in Swift. Each view calls an object of its own
 * that inherits from it, so what the functions store in `this` belongs to one view. NaN, a negative size, or a path
 * that does not exist fails the frame with a sentence; the renderer keeps the one before.
 */
interface CustomLayout {
    /** Prepares the layout, once after each invalidation, before the other functions are called. */
    prepare?(view: { bounds: ViewRect; numberOfSections: number; numberOfItems: number[] }): void;
    /** The size of the whole content, or a function that returns it. */
    collectionViewContentSize: ViewSize | (() => ViewSize);
    /** The direction in which the content extends; `vertical` by default. */
    scrollDirection?: "vertical" | "horizontal";
    /** Returns the attributes of all elements that intersect a rectangle; it may be larger than the viewport. */
    layoutAttributesForElements(options: { in: ViewRect }): readonly LayoutAttributes[];
    /** Returns the attributes of an item; `null` or `undefined` for none. */
    layoutAttributesForItem?(options: { at: RowPath }): LayoutAttributes | null | undefined;
    /** Returns the attributes of a header, a footer or another supplementary view; `null` or `undefined` for none. */
    layoutAttributesForSupplementaryView?(options: { ofKind: string; at: RowPath }): LayoutAttributes | null | undefined;
    /** Returns the attributes of a decoration view; `null` or `undefined` for none. */
    layoutAttributesForDecorationView?(options: { ofKind: string; at: RowPath }): LayoutAttributes | null | undefined;
    /** Returns whether new bounds make the layout invalid; by default, whether the size differs. */
    shouldInvalidateLayout?(options: { forBoundsChange: ViewRect }): boolean;
    /**
     * Returns the offset at which a scroll of the user ends, given its velocity in units per second; by default the
     * proposed one.
     */
    targetContentOffset?(options: { forProposedContentOffset: number; withScrollingVelocity: number }): number;
    /**
     * Returns the attributes from which an item appears in a batch; `null` or `undefined` if it appears at its position.
     * An error of this function and of those below is reported, and the default applies.
     */
    initialLayoutAttributesForAppearingItem?(options: { at: RowPath }): LayoutAttributes | null | undefined;
    /** Returns the attributes to which an item disappears in a batch, at a path before it. */
    finalLayoutAttributesForDisappearingItem?(options: { at: RowPath }): LayoutAttributes | null | undefined;
    /** Returns the attributes from which a supplementary view appears in a batch. */
    initialLayoutAttributesForAppearingSupplementaryElement?(
        options: { ofKind: string; at: RowPath },
    ): LayoutAttributes | null | undefined;
    /** Returns the attributes to which a supplementary view disappears in a batch. */
    finalLayoutAttributesForDisappearingSupplementaryElement?(
        options: { ofKind: string; at: RowPath },
    ): LayoutAttributes | null | undefined;
    /** Returns the attributes from which a decoration view appears in a batch. */
    initialLayoutAttributesForAppearingDecorationElement?(
        options: { ofKind: string; at: RowPath },
    ): LayoutAttributes | null | undefined;
    /** Returns the attributes to which a decoration view disappears in a batch. */
    finalLayoutAttributesForDisappearingDecorationElement?(
        options: { ofKind: string; at: RowPath },
    ): LayoutAttributes | null | undefined;
    /** Returns the path of an item that a pointer moves to a position; by default that of the item there. */
    targetIndexPath?(
        options: { forInteractivelyMovingItem: RowPath; withPosition: { x: number; y: number } },
    ): PathLike | null | undefined;
    /** Returns the attributes by which an item is shown while a pointer moves it; by default those of its row. */
    layoutAttributesForInteractivelyMovingItem?(
        options: { at: RowPath; withTargetPosition: { x: number; y: number } },
    ): LayoutAttributes | null | undefined;
}

/** A layout: a name, options, or an object with the functions of a layout. */
type LayoutOptions =
    | "list" | "flow" | "grid"
    | ListLayoutOptions | FlowLayoutOptions | GridLayoutOptions | CompositionalLayoutOptions | CustomLayout;

/** An action of an item's menu. */
interface ViewAction<Item> {
    /** The title of the action. */
    title: string;
    /** True if the action cannot be undone; false by default. */
    isDestructive?: boolean;
    /** True if the action cannot be chosen; false by default. */
    isDisabled?: boolean;
    /**
     * Performs the action. A string that it returns, or that its promise resolves to, is shown as a message. So is the
     * error that it throws, or with which the promise rejects.
     */
    action(item: Item, path: RowPath, view: CollectionView): unknown;
}

/**
 * The functions that a view calls, by their names in Swift. All may be missing. Functions that the object has when the
 * view is created are called. An error is reported, and the default applies.
 */
interface CollectionViewDelegate {
    /** Reports that a cell becomes visible. */
    willDisplay?(path: RowPath, view: CollectionView): void;
    /** Reports that a cell is no longer visible; the path is that of the state in which it was visible. */
    didEndDisplaying?(path: RowPath, view: CollectionView): void;
    /** Reports that a header or footer becomes visible. */
    willDisplaySupplementaryView?(element: { forElementKind: string; at: RowPath }, view: CollectionView): void;
    /** Reports that a header or footer is no longer visible; the path is that of the state in which it was visible. */
    didEndDisplayingSupplementaryView?(element: { forElementOfKind: string; at: RowPath }, view: CollectionView): void;
    /** Returns whether an item that the user presses is highlighted; true by default. */
    shouldHighlightItemAt?(path: RowPath, view: CollectionView): boolean;
    /** Reports that an item is highlighted. */
    didHighlightItemAt?(path: RowPath, view: CollectionView): void;
    /** Reports that an item is no longer highlighted. */
    didUnhighlightItemAt?(path: RowPath, view: CollectionView): void;
    /** Returns whether the user may select an item; true by default. */
    shouldSelectItemAt?(path: RowPath, view: CollectionView): boolean;
    /** Returns whether the user may deselect an item; true by default. */
    shouldDeselectItemAt?(path: RowPath, view: CollectionView): boolean;
    /** Reports that the user has selected an item. */
    didSelectItemAt?(path: RowPath, view: CollectionView): void;
    /** Reports that the user has deselected an item. */
    didDeselectItemAt?(path: RowPath, view: CollectionView): void;
    /** Returns whether the user may begin to select neighbouring items at one of them; true by default. */
    shouldBeginMultipleSelectionInteractionAt?(path: RowPath, view: CollectionView): boolean;
    /** Reports that the user begins to select neighbouring items. */
    didBeginMultipleSelectionInteractionAt?(path: RowPath, view: CollectionView): void;
    /** Reports that the user has selected neighbouring items. */
    didEndMultipleSelectionInteraction?(view: CollectionView): void;
    /** Returns whether an item has a primary action; true by default. */
    canPerformPrimaryActionForItemAt?(path: RowPath, view: CollectionView): boolean;
    /** Performs the primary action of an item, after `onPrimaryAction`. */
    performPrimaryActionForItemAt?(path: RowPath, view: CollectionView): void;
    /** Returns whether the user may move the focus to an item; true by default. */
    canFocusItemAt?(path: RowPath, view: CollectionView): boolean;
    /** Returns whether the user may move the focus from one item to another; true by default. */
    shouldUpdateFocusIn?(context: FocusUpdateContext, view: CollectionView): boolean;
    /** Reports that the user has moved the focus. */
    didUpdateFocusIn?(context: FocusUpdateContext, view: CollectionView): void;
    /** Returns the path of the item that gets the focus when it enters the view; by default the first visible one. */
    indexPathForPreferredFocusedView?(view: CollectionView): PathLike | null | undefined;
    /** Returns whether an item to which the user moves the focus is selected; by default `selectionFollowsFocus`. */
    selectionFollowsFocusForItemAt?(path: RowPath, view: CollectionView): boolean;
    /** Returns whether an item is edited while the view is; true by default. */
    canEditItemAt?(path: RowPath, view: CollectionView): boolean;
    /** Reports, after a frame of the first renderer, that the offset has changed. */
    didScroll?(contentOffset: number, view: CollectionView): void;
    /** Reports that the user begins to scroll. */
    willBeginDragging?(contentOffset: number, view: CollectionView): void;
    /**
     * Returns the offset at which a scroll of the user ends, given its velocity in units per second; by default the target.
     * A page, which scrolls by itself, ignores it.
     */
    willEndDragging?(scroll: { withVelocity: number; targetContentOffset: number }, view: CollectionView): number | undefined;
    /** Reports that the user no longer scrolls, and whether the content runs on. */
    didEndDragging?(scroll: { willDecelerate: boolean }, view: CollectionView): void;
    /** Reports that the content has come to rest. */
    didEndDecelerating?(contentOffset: number, view: CollectionView): void;
    /** Reports, after the frame that shows it, that an animated scroll of the script has another offset. */
    didEndScrollingAnimation?(contentOffset: number, view: CollectionView): void;
    /** Returns the offset of the view after a batch, or with a new layout; by default the proposed one. */
    targetContentOffsetForProposedContentOffset?(contentOffset: number, view: CollectionView): number | null | undefined;
    /** Reports, with a sentence, that an update of the data broke a rule. */
    didRejectUpdates?(reason: string, view: CollectionView): void;
    /** Returns whether the user may move an item; by default, whether there is `moveItemAt`. */
    canMoveItemAt?(path: RowPath, view: CollectionView): boolean;
    /** Moves an item that the user has moved. Without this function an item of an array is moved in the array. */
    moveItemAt?(move: { at: RowPath; to: RowPath }, view: CollectionView): void;
    /** Returns the path to which an item moves interactively; by default the proposed one. */
    targetIndexPathForMoveOfItem?(
        move: { fromOriginalIndexPath: RowPath; atCurrentIndexPath: RowPath; toProposedIndexPath: RowPath }, view: CollectionView,
    ): PathLike | null | undefined;
    /** Begins to load items before they become visible, the nearest to the viewport first. */
    prefetchItemsAt?(paths: readonly RowPath[], view: CollectionView): void;
    /** Cancels the loading of items that did not become visible and are no longer near the viewport, or are deleted. */
    cancelPrefetchingForItemsAt?(paths: readonly RowPath[], view: CollectionView): void;
    /** Returns the titles beside the rows; by default the first letters of the sections. */
    indexTitles?(view: CollectionView): string[];
    /** Returns the path to which a title beside the rows leads; `at` is the index of the title. */
    indexPathForIndexTitle?(title: { title: string; at: number }, view: CollectionView): PathLike | null | undefined;
    /** Returns the title by which typed letters find an item; by default the text of its cell. */
    titleForItemAt?(path: RowPath, view: CollectionView): string;
}

/** A move of the focus by the user. */
interface FocusUpdateContext {
    /** The path of the item that has the focus before; `undefined` for none. */
    readonly previouslyFocusedIndexPath: RowPath | undefined;
    /** The path of the item that has the focus afterwards. */
    readonly nextFocusedIndexPath: RowPath;
}

/** The data of a dragged item: plain text, or texts by their MIME types, the best one first. */
type DragItem = string | { readonly [type: string]: string };

/** The effect of a drop on the data. */
type DropOperation = "copy" | "move" | "forbidden" | "cancel";

/**
 * The functions that give the items of drags, by their names in Swift. An error is reported, and nothing is dragged.
 */
interface CollectionViewDragDelegate {
    /** Returns the items of a drag that begins at an item; none if it cannot be dragged. */
    itemsForBeginning(path: RowPath, view: CollectionView): readonly DragItem[] | null | undefined;
    /**
     * Returns the items that another item adds to a drag; none by default. In a page, a drag of one of the marked rows
     * adds the others.
     */
    itemsForAddingTo?(path: RowPath, view: CollectionView): readonly DragItem[] | null | undefined;
    /** Reports that a drag begins. */
    dragSessionWillBegin?(view: CollectionView): void;
    /** Returns whether the items may be moved; true by default. Otherwise a proposal to move them is forbidden. */
    dragSessionAllowsMoveOperation?(view: CollectionView): boolean;
    /** Returns whether the items stay in this process; false by default. */
    dragSessionIsRestrictedToDraggingApplication?(view: CollectionView): boolean;
    /** Reports that a drag has ended, and its effect. */
    dragSessionDidEnd?(operation: DropOperation, view: CollectionView): void;
}

/** The items of a drop, after it. */
interface DropCoordinator {
    /** The items that were dropped. */
    readonly items: readonly {
        /** The MIME types of the item's data. */
        readonly types: readonly string[];
        /** The path at which the view shows the item; `undefined` for an item from elsewhere. */
        readonly sourceIndexPath: RowPath | undefined;
        /** Loads the text of a type, `text/plain` by default. A file is loaded up to 16 MiB. */
        text(type?: string): Promise<string>;
    }[];
    /** The path of the item at the position; `undefined` if there is none. */
    readonly destinationIndexPath: RowPath | undefined;
    /** The effect of the drop. */
    readonly operation: DropOperation;
}

/** The functions that take what is dropped, by their names in Swift. An error is reported, and nothing is dropped. */
interface CollectionViewDropDelegate {
    /** Returns whether the view can take a drag; by default it can. */
    canHandle?(session: { readonly types: readonly string[] }, view: CollectionView): boolean;
    /** Reports that a drag has entered the view. */
    dropSessionDidEnter?(session: { readonly types: readonly string[] }, view: CollectionView): void;
    /** Reports that a drag has left the view. */
    dropSessionDidExit?(session: { readonly types: readonly string[] }, view: CollectionView): void;
    /** Reports that a drag over the view has ended, dropped or not. */
    dropSessionDidEnd?(session: { readonly types: readonly string[] }, view: CollectionView): void;
    /** Returns the effect of a drop at a position; `copy` by default. */
    dropSessionDidUpdate?(
        session: { readonly types: readonly string[]; readonly destinationIndexPath: RowPath | undefined }, view: CollectionView,
    ): DropOperation;
    /** Takes the items: changes the data, now or when their text is loaded, and notifies the view by a batch. */
    performDropWith(coordinator: DropCoordinator, view: CollectionView): void;
}

/** The properties of a view that are true or false. Each is also an option, and applies to all renderers. */
interface CollectionViewFlags {
    /** True if the user may select an item; true by default. */
    allowsSelection: boolean;
    /** True if the user may select several items; false by default. */
    allowsMultipleSelection: boolean;
    /** True if the user may select an item while the view is being edited; false by default. */
    allowsSelectionDuringEditing: boolean;
    /** True if the user may select several items while the view is being edited; false by default. */
    allowsMultipleSelectionDuringEditing: boolean;
    /** True if the user may move the focus to an item; true by default. */
    allowsFocus: boolean;
    /** True if the user may move the focus to an item while the view is being edited; true by default. */
    allowsFocusDuringEditing: boolean;
    /** True if the focus returns to the item that had it last when it enters the view; false by default. */
    remembersLastFocusedIndexPath: boolean;
    /** True if an item to which the user moves the focus is selected; false by default. */
    selectionFollowsFocus: boolean;
    /** True while the view is being edited, for which other rules of selection and focus apply; false by default. */
    isEditing: boolean;
    /** True if items are prefetched with `prefetchItemsAt`; true by default. */
    isPrefetchingEnabled: boolean;
    /** True if drags may begin in the view; true by default. */
    dragInteractionEnabled: boolean;
}

/** The options of a view. */
interface CollectionViewOptions<Item> extends Partial<CollectionViewFlags> {
    /** The name by which the program finds the view; `main` by default. A name belongs to one open view. */
    name?: string;
    /** The title that renderers show; the name by default. */
    title?: string;
    /**
     * The rows. Changes of queries and registered data sources arrive by themselves. Changes of an array, or of an
     * object, are reported to the view by `performBatchUpdates` or `reloadData`.
     */
    source: readonly Item[] | Query | HostDataSource<Item> | RegisteredDataSource | ScriptDataSource<Item>;
    /**
     * The layout, or a function that chooses one for a renderer: the unit is `cell`, a character of a terminal, or
     * `pixel`, a CSS pixel. The size is the one that its view begins with, mostly not yet that of the window.
     */
    layout?: LayoutOptions | ((renderer: { unit: "cell" | "pixel" } & ViewSize) => LayoutOptions);
    /**
     * Returns the content of an item's cell; by default the item itself as text. It is called once for each version of
     * an item, never for a frame. A function that declares a second parameter gets the path, and its contents are not
     * kept: it is called each time that a row becomes visible. A visible row whose path changes keeps its content until
     * `reconfigureItems`.
     */
    cell?(item: Item, path: RowPath): StyledText | CellContent;
    /** Returns the header of a section; by default the title of the source. `false` for none. */
    header?: false | ((section: number) => StyledText | CellContent);
    /** Returns the footer of a section; by default the footer title of the source. `false` for none. */
    footer?: false | ((section: number) => StyledText | CellContent);
    /**
     * The distances by which the content can be scrolled beyond its edges, or a function that chooses them for a
     * renderer, as for `layout`; 0 by default. The view has a property of this name.
     */
    contentInset?: EdgeInsets | ((renderer: { unit: "cell" | "pixel" } & ViewSize) => EdgeInsets);
    /** The content behind the rows, such as a sentence about an empty list; none by default. */
    backgroundView?: StyledText | CellContent;
    /** The functions that the view calls. */
    delegate?: CollectionViewDelegate;
    /** The items that can be dragged out of the view. */
    dragDelegate?: CollectionViewDragDelegate;
    /** The receiver of items that are dropped on the view. */
    dropDelegate?: CollectionViewDropDelegate;
    /** Performs the primary action of an item, for Enter or a double click; messages are those of a menu's action. */
    onPrimaryAction?(item: Item, path: RowPath, view: CollectionView): unknown;
    /** Returns the actions of an item's menu. An action is performed with the item that the menu was made for. */
    menu?(item: Item, path: RowPath): readonly ViewAction<Item>[];
    /** Returns the lines that show an item completely. */
    details?(item: Item, path: RowPath): StyledText | readonly StyledText[];
    /**
     * With `true`, the user can find rows by the texts of their cells: among the first 10,000 rows, by the words of a
     * search in a table. With a function, also filter them: the function is called with each text that is typed, an
     * empty one for all rows, and changes the source, now or later.
     */
    search?: boolean | ((query: string, view: CollectionView) => void);
}

/**
 * A collection view. The names are those of Swift and UIKit, with one object of options in place of labels. An error of
 * a path has the code `view.indexPathOutOfRange`.
 */
interface CollectionView extends CollectionViewFlags {
    /** The name by which the program finds the view. */
    readonly name: string;
    /** The title that renderers show. */
    title: string;
    /** A sentence that renderers show. */
    status: string;
    /** The unit of lengths: a character of a terminal, or a CSS pixel. */
    readonly unit: "cell" | "pixel";
    /** The visible rectangle of the content. */
    readonly bounds: ViewRect;
    /** The size of the whole content. */
    readonly contentSize: ViewSize;
    /** The position in the content at which the viewport begins, along the scroll direction. */
    contentOffset: number;
    /**
     * The distances by which the content can be scrolled beyond its edges; 0 by default. They apply to all renderers, of
     * which a function may choose. The property is then read as the distances of the first renderer.
     */
    get contentInset(): { top: number; left: number; bottom: number; right: number };
    set contentInset(insets: CollectionViewOptions<unknown>["contentInset"]);
    /** The content behind the rows, as large as the viewport; `undefined` for none. */
    get backgroundView(): CellContent | undefined;
    set backgroundView(content: StyledText | CellContent);
    /** True while the user scrolls in the first renderer. */
    readonly isDragging: boolean;
    /** True while the content runs on after a scroll of the user in the first renderer. */
    readonly isDecelerating: boolean;
    /** True while a drag that began in the first renderer is in progress. */
    readonly hasActiveDrag: boolean;
    /** True while a drag is over the first renderer that the drop delegate can take. */
    readonly hasActiveDrop: boolean;
    /** The work that the view has done. */
    readonly counters: { readonly [name: string]: number };
    /** The last error of a function of this script; `undefined` if there was none. */
    readonly lastError: string | undefined;

    /** The number of sections. */
    readonly numberOfSections: number;
    /** Returns the number of items of a section. */
    numberOfItems(options: { inSection: number }): number;
    /** The paths of the visible items, in the order of their positions. */
    readonly indexPathsForVisibleItems: RowPath[];
    /** The paths of the selected items, in ascending order. */
    readonly indexPathsForSelectedItems: RowPath[];
    /** The path of the item that has the focus; `undefined` if there is none. */
    readonly focusedIndexPath: RowPath | undefined;
    /** Returns the path of the frontmost item at a point of the content; `undefined` if there is none. */
    indexPathForItem(options: { at: { x: number; y: number } }): RowPath | undefined;
    /** Returns the content of a visible cell. */
    cellForItem(options: { at: PathLike }): CellContent | undefined;
    /** Returns the attributes that the layout gives to an item; `undefined` for a path out of range. */
    layoutAttributesForItem(options: { at: PathLike }): LayoutAttributes | undefined;
    /** Returns the content of a visible header or footer. */
    supplementaryView(options: { forElementKind: string; at: PathLike }): CellContent | undefined;
    /** Returns the paths of the visible headers or footers, in ascending order. */
    indexPathsForVisibleSupplementaryElements(options: { ofKind: string }): RowPath[];
    /** Returns the attributes that the layout gives to a header or footer; `undefined` if it has none there. */
    layoutAttributesForSupplementaryElement(options: { ofKind: string; at: PathLike }): LayoutAttributes | undefined;

    /** Reads all data and requests all visible cells again. */
    reloadData(): void;
    /**
     * Runs a function whose updates become one batch: it changes the data, and describes the changes to the view. Paths
     * of deletions and reloads are those before the batch, paths of insertions those after it. A broken rule, or an
     * error of the function, leaves the view as it was, and is thrown. `completion` is called after the batch was
     * applied; in a batch within a batch, after the outer one.
     *
     * In a callback of the view, such as `onPrimaryAction`, the function runs and the batch is applied after the
     * callback. An error then goes to `didRejectUpdates`, and the completion gets `false`.
     */
    performBatchUpdates(updates: () => void, options?: { completion?: (finished: boolean) => void }): void;
    /**
     * Reports inserted items, at paths after the batch. Outside a batch, each of these updates is a batch of its own.
     */
    insertItems(options: { at: readonly PathLike[] }): void;
    /** Reports deleted items, at paths before the batch. */
    deleteItems(options: { at: readonly PathLike[] }): void;
    /** Replaces the cells of items, at paths before the batch. */
    reloadItems(options: { at: readonly PathLike[] }): void;
    /** Requests the content of items again, at paths before the batch, and keeps their cells. */
    reconfigureItems(options: { at: readonly PathLike[] }): void;
    /** Reports a moved item, from a path before the batch to one after it. */
    moveItem(options: { at: PathLike; to: PathLike }): void;
    /** Reports inserted sections, at indices after the batch. */
    insertSections(sections: number | readonly number[]): void;
    /** Reports deleted sections, at indices before the batch. */
    deleteSections(sections: number | readonly number[]): void;
    /** Replaces the cells of sections, at indices before the batch. */
    reloadSections(sections: number | readonly number[]): void;
    /** Reports a moved section, from an index before the batch to one after it. */
    moveSection(options: { section: number; toSection: number }): void;

    /**
     * Scrolls to an item in the next layout pass, by default as little as possible. With `animated`, as for other
     * functions, the next frame has the end position, and lets a renderer move from the last one.
     */
    scrollToItem(options: { at: PathLike; scrollPosition?: ScrollPosition; animated?: boolean }): void;
    /** Scrolls to an offset, as a new `contentOffset` does. */
    setContentOffset(contentOffset: number, options?: { animated?: boolean }): void;
    /** Scrolls by the shortest distance to a rectangle of the content. */
    scrollRectToVisible(rect: ViewRect, options?: { animated?: boolean }): void;
    /** Selects an item without the delegate, and scrolls to it if a position is given. */
    selectItem(options: { at: PathLike; scrollPosition?: ScrollPosition; animated?: boolean }): void;
    /** Deselects an item without the delegate. */
    deselectItem(options: { at: PathLike; animated?: boolean }): void;
    /** Selects all items without the delegate. */
    selectAllItems(): void;
    /** Deselects all items without the delegate. */
    deselectAllItems(): void;
    /** Gives the focus to an item. */
    focusItem(options: { at: PathLike }): void;

    /**
     * Replaces the layout. `completion` is called with `true` after the first renderer has shown it, or with `false` if
     * another layout replaces it before.
     */
    setCollectionViewLayout(
        layout: CollectionViewOptions<unknown>["layout"], options?: { animated?: boolean; completion?: (finished: boolean) => void },
    ): void;
    /** Makes the layout invalid, so that it is prepared again before it is used. */
    invalidateLayout(): void;
    /** Begins to move an item. Returns false if the item may not move, or another movement is in progress. */
    beginInteractiveMovementForItem(options: { at: PathLike }): boolean;
    /**
     * Shows the moving item at the path of the item at a point of the content. A point without an item has no effect.
     */
    updateInteractiveMovementTargetPosition(position: { x: number; y: number }): void;
    /** Ends the movement: the data is changed, once, if the item is at another path. */
    endInteractiveMovement(): void;
    /** Cancels the movement: the item returns to its original path. */
    cancelInteractiveMovement(): void;

    /** Returns the scroll position, selection and focus by the identities of the items. */
    saveState(): string;
    /**
     * Finds the position again, and returns the rule that applied; `undefined` without rows. An archive of other
     * data is an error.
     */
    restoreState(archive: string): string | undefined;
    /** Closes the view: its name is free, and it follows no data. */
    close(): void;
}

/** The views of `bridge`. */
interface Bridge {
    /** Creates a collection view, which the program shows in a terminal or a page. */
    collectionView(options: Omit<CollectionViewOptions<Row>, "source"> & { source: Query }): CollectionView;
    /** Creates a collection view of any other source. */
    collectionView<Item = any>(options: CollectionViewOptions<Item>): CollectionView;
}
