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
    scrollDirection?: "vertical" | "horizontal";
    /** The length of a row until it is measured; by default one line of text. */
    rowLength?: number;
    rowSpacing?: number;
    sectionInset?: EdgeInsets;
    /** By default one line if sections have titles, or the view has `header`. */
    headerLength?: number;
    footerLength?: number;
    /** True by default. */
    sectionHeadersPinToVisibleBounds?: boolean;
    backgroundKind?: string;
}

/** Items of one size in lines, as in UICollectionViewFlowLayout. */
interface FlowLayoutOptions {
    type: "flow";
    scrollDirection?: "vertical" | "horizontal";
    itemSize?: ViewSize;
    /**
     * Returns the size of an item; by default all have `itemSize`. It is called for each item when the layout is prepared,
     * and again for new and reloaded items. An error is reported, and the item has `itemSize`.
     */
    sizeForItemAt?(path: RowPath): ViewSize;
    minimumLineSpacing?: number;
    minimumInteritemSpacing?: number;
    sectionInset?: EdgeInsets;
    headerReferenceSize?: ViewSize;
    footerReferenceSize?: ViewSize;
    sectionHeadersPinToVisibleBounds?: boolean;
    sectionFootersPinToVisibleBounds?: boolean;
    /** The kind of the decoration view behind the items of each section; none by default. */
    backgroundKind?: string;
}

/** Groups of equal items across the view. */
interface GridLayoutOptions {
    type: "grid";
    scrollDirection?: "vertical" | "horizontal";
    /** The number of items in a group; 2 by default. */
    columns?: number;
    /** The length of a group. */
    rowLength?: number;
    spacing?: number;
    sectionInset?: EdgeInsets;
}

/** The position of one element in a layout of a script. */
interface LayoutAttributes {
    indexPath: PathLike;
    frame: ViewRect;
    /** Higher elements are in front. */
    zIndex?: number;
    alpha?: number;
    isHidden?: boolean;
    /** The kind of a supplementary or decoration view: `header`, `footer`, or another one. */
    kind?: string;
    /** `cell` by default; `supplementary` for one with a kind. */
    category?: "cell" | "supplementary" | "decoration";
}

/**
 * A layout that a script implements: the contract of `CollectionLayout` in Swift. Each view calls an object of its own that
 * inherits from it, so what the functions store in `this` belongs to one view. NaN, a negative size, or a path that
 * does not exist fails the frame with a sentence; the renderer keeps the one before.
 */
interface CustomLayout {
    /** Prepares the layout, once after each invalidation, before the other functions are called. */
    prepare?(view: { bounds: ViewRect; numberOfSections: number; numberOfItems: number[] }): void;
    collectionViewContentSize: ViewSize | (() => ViewSize);
    /** The direction in which the content extends; `vertical` by default. */
    scrollDirection?: "vertical" | "horizontal";
    /** Returns the attributes of all elements that intersect a rectangle; it may be larger than the viewport. */
    layoutAttributesForElements(options: { in: ViewRect }): readonly LayoutAttributes[];
    layoutAttributesForItem?(options: { at: RowPath }): LayoutAttributes | null | undefined;
    layoutAttributesForSupplementaryView?(options: { ofKind: string; at: RowPath }): LayoutAttributes | null | undefined;
    layoutAttributesForDecorationView?(options: { ofKind: string; at: RowPath }): LayoutAttributes | null | undefined;
    /** Returns whether new bounds make the layout invalid; by default, whether the size differs. */
    shouldInvalidateLayout?(options: { forBoundsChange: ViewRect }): boolean;
    targetContentOffset?(options: { forProposedContentOffset: number; withScrollingVelocity: number }): number;
}

type LayoutOptions = "list" | "flow" | "grid" | ListLayoutOptions | FlowLayoutOptions | GridLayoutOptions | CustomLayout;

/** An action of an item's menu. */
interface ViewAction<Item> {
    title: string;
    isDestructive?: boolean;
    isDisabled?: boolean;
    /** Performs the action. A string that it returns is shown as a message. */
    action(item: Item, path: RowPath, view: CollectionView): unknown;
}

/**
 * The functions that a view calls, by their names in Swift. All may be missing. Functions that the object has when the
 * view is created are called. An error is reported, and the default applies.
 */
interface CollectionViewDelegate {
    willDisplay?(path: RowPath, view: CollectionView): void;
    didEndDisplaying?(path: RowPath, view: CollectionView): void;
    shouldHighlightItemAt?(path: RowPath, view: CollectionView): boolean;
    didHighlightItemAt?(path: RowPath, view: CollectionView): void;
    didUnhighlightItemAt?(path: RowPath, view: CollectionView): void;
    shouldSelectItemAt?(path: RowPath, view: CollectionView): boolean;
    shouldDeselectItemAt?(path: RowPath, view: CollectionView): boolean;
    didSelectItemAt?(path: RowPath, view: CollectionView): void;
    didDeselectItemAt?(path: RowPath, view: CollectionView): void;
    canPerformPrimaryActionForItemAt?(path: RowPath, view: CollectionView): boolean;
    performPrimaryActionForItemAt?(path: RowPath, view: CollectionView): void;
    canFocusItemAt?(path: RowPath, view: CollectionView): boolean;
    /** Reports, after a frame of the first renderer, that the offset has changed. */
    didScroll?(contentOffset: number, view: CollectionView): void;
    /** Reports, with a sentence, that an update of the data broke a rule. */
    didRejectUpdates?(reason: string, view: CollectionView): void;
    /** Returns whether the user may move an item; by default, whether there is `moveItemAt`. */
    canMoveItemAt?(path: RowPath, view: CollectionView): boolean;
    /** Moves an item that the user has moved. Without this function an item of an array is moved in the array. */
    moveItemAt?(move: { at: RowPath; to: RowPath }, view: CollectionView): void;
    targetIndexPathForMoveOfItem?(
        move: { fromOriginalIndexPath: RowPath; atCurrentIndexPath: RowPath; toProposedIndexPath: RowPath }, view: CollectionView,
    ): PathLike | null | undefined;
    prefetchItemsAt?(paths: readonly RowPath[], view: CollectionView): void;
    cancelPrefetchingForItemsAt?(paths: readonly RowPath[], view: CollectionView): void;
    /** Returns the titles beside the rows; by default the first letters of the sections. */
    indexTitles?(view: CollectionView): string[];
    indexPathForIndexTitle?(title: { title: string; at: number }, view: CollectionView): PathLike | null | undefined;
    /** Returns the title by which typed letters find an item; by default the text of its cell. */
    titleForItemAt?(path: RowPath, view: CollectionView): string;
}

/** The data of a dragged item: plain text, or texts by their MIME types, the best one first. */
type DragItem = string | { readonly [type: string]: string };

/** The effect of a drop on the data. */
type DropOperation = "copy" | "move" | "forbidden" | "cancel";

/** The functions that give the items of drags, by their names in Swift. An error is reported, and nothing is dragged. */
interface CollectionViewDragDelegate {
    /** Returns the items of a drag that begins at an item; none if it cannot be dragged. */
    itemsForBeginning(path: RowPath, view: CollectionView): readonly DragItem[] | null | undefined;
    dragSessionDidEnd?(operation: DropOperation, view: CollectionView): void;
}

/** The items of a drop, after it. */
interface DropCoordinator {
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
    readonly operation: DropOperation;
}

/** The functions that take what is dropped, by their names in Swift. An error is reported, and nothing is dropped. */
interface CollectionViewDropDelegate {
    /** Returns whether the view can take a drag; by default it can. */
    canHandle?(session: { readonly types: readonly string[] }, view: CollectionView): boolean;
    /** Returns the effect of a drop at a position; `copy` by default. */
    dropSessionDidUpdate?(
        session: { readonly types: readonly string[]; readonly destinationIndexPath: RowPath | undefined }, view: CollectionView,
    ): DropOperation;
    /** Takes the items: changes the data, now or when their text is loaded, and notifies the view by a batch. */
    performDropWith(coordinator: DropCoordinator, view: CollectionView): void;
}

/** The options of a view. */
interface CollectionViewOptions<Item> {
    /** The name by which the program finds the view; `main` by default. A name belongs to one open view. */
    name?: string;
    /** The title that renderers show; the name by default. */
    title?: string;
    /**
     * The rows. Changes of queries and registered data sources arrive by themselves. Changes of an array, or of an object,
     * are reported to the view by `performBatchUpdates` or `reloadData`.
     */
    source: readonly Item[] | Query | HostDataSource<Item> | RegisteredDataSource | ScriptDataSource<Item>;
    /**
     * The layout, or a function that chooses one for a renderer: the unit is `cell`, a character of a terminal, or
     * `pixel`, a CSS pixel.
     */
    layout?: LayoutOptions | ((renderer: { unit: "cell" | "pixel" } & ViewSize) => LayoutOptions);
    /**
     * Returns the content of an item's cell; by default the item itself as text. It is called once for each version of an
     * item, never for a frame. A function that declares a second parameter gets the path, and its contents are not kept:
     * it is called each time that a row becomes visible. A visible row whose path changes keeps its content until
     * `reconfigureItems`.
     */
    cell?(item: Item, path: RowPath): StyledText | CellContent;
    /** Returns the header of a section; by default the title of the source. `false` for none. */
    header?: false | ((section: number) => StyledText | CellContent);
    footer?: false | ((section: number) => StyledText | CellContent);
    delegate?: CollectionViewDelegate;
    /** The items that can be dragged out of the view. */
    dragDelegate?: CollectionViewDragDelegate;
    /** The receiver of items that are dropped on the view. */
    dropDelegate?: CollectionViewDropDelegate;
    /** Performs the primary action of an item, for Enter or a double click. */
    onPrimaryAction?(item: Item, path: RowPath, view: CollectionView): void;
    menu?(item: Item, path: RowPath): readonly ViewAction<Item>[];
    /** Returns the lines that show an item completely. */
    details?(item: Item, path: RowPath): StyledText | readonly StyledText[];
    /**
     * With `true`, the user can find rows by the texts of their cells: among the first 10,000 rows, by the words of a
     * search in a table. With a function, also filter them: the function is called with each text that is typed, an empty
     * one for all rows, and changes the source, now or later.
     */
    search?: boolean | ((query: string, view: CollectionView) => void);
}

/**
 * A collection view. The names are those of Swift and UIKit, with one object of options in place of labels. An error of a
 * path has the code `view.indexPathOutOfRange`.
 */
interface CollectionView {
    readonly name: string;
    title: string;
    /** A sentence that renderers show. */
    status: string;
    readonly unit: "cell" | "pixel";
    readonly bounds: ViewRect;
    readonly contentSize: ViewSize;
    contentOffset: number;
    allowsSelection: boolean;
    allowsMultipleSelection: boolean;
    isEditing: boolean;
    /** The work that the view has done. */
    readonly counters: { readonly [name: string]: number };
    /** The last error of a function of this script; `undefined` if there was none. */
    readonly lastError: string | undefined;

    readonly numberOfSections: number;
    numberOfItems(options: { inSection: number }): number;
    readonly indexPathsForVisibleItems: RowPath[];
    readonly indexPathsForSelectedItems: RowPath[];
    readonly focusedIndexPath: RowPath | undefined;
    indexPathForItem(options: { at: { x: number; y: number } }): RowPath | undefined;
    /** Returns the content of a visible cell. */
    cellForItem(options: { at: PathLike }): CellContent | undefined;
    layoutAttributesForItem(options: { at: PathLike }): LayoutAttributes | undefined;

    reloadData(): void;
    /**
     * Runs a function whose updates become one batch: it changes the data, and describes the changes to the view. Paths of deletions and
     * reloads are those before the batch, paths of insertions those after it. A broken rule, or an error of the function,
     * leaves the view as it was, and is thrown. `completion` is called after the batch was applied; in a batch within a
     * batch, after the outer one.
     */
    performBatchUpdates(updates: () => void, options?: { completion?: (finished: boolean) => void }): void;
    insertItems(options: { at: readonly PathLike[] }): void;
    deleteItems(options: { at: readonly PathLike[] }): void;
    reloadItems(options: { at: readonly PathLike[] }): void;
    reconfigureItems(options: { at: readonly PathLike[] }): void;
    moveItem(options: { at: PathLike; to: PathLike }): void;
    insertSections(sections: number | readonly number[]): void;
    deleteSections(sections: number | readonly number[]): void;
    reloadSections(sections: number | readonly number[]): void;
    moveSection(options: { section: number; toSection: number }): void;

    scrollToItem(options: { at: PathLike; scrollPosition?: ScrollPosition }): void;
    selectItem(options: { at: PathLike; scrollPosition?: ScrollPosition }): void;
    deselectItem(options: { at: PathLike }): void;
    selectAllItems(): void;
    deselectAllItems(): void;
    focusItem(options: { at: PathLike }): void;

    setCollectionViewLayout(layout: CollectionViewOptions<unknown>["layout"]): void;
    invalidateLayout(): void;
    beginInteractiveMovementForItem(options: { at: PathLike }): boolean;
    updateInteractiveMovementTargetPosition(position: { x: number; y: number }): void;
    endInteractiveMovement(): void;
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

interface Bridge {
    /** Creates a collection view, which the program shows in a terminal or a page. */
    collectionView(options: Omit<CollectionViewOptions<Row>, "source"> & { source: Query }): CollectionView;
    collectionView<Item = any>(options: CollectionViewOptions<Item>): CollectionView;
}
