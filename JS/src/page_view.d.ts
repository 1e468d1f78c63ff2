// The messages between a page and the session of its view.

type TextRun = [text: string, style: TextStyle];

type TextStyle = "plain" | "strong" | "secondary" | "match" | "failure" | BarStyle;

/** The style of a bar, or of a text: an accent, or the kind of change that it counts. */
type BarStyle = "accent" | "inserted" | "deleted" | "moved" | "updated";

/** A chart: its title, and for each bar its label, its figure, its length from -1 to 1, and its style. */
interface BarChart { title: string; bars: [label: string, figure: string, length: number, style: TextStyle][] }

type StyledText = TextRun[];

type Accessory = ["disclosure"] | ["checkmark"] | ["reorder"] | ["outline", boolean] | ["label", string];

/** The place and the content of one element: a row, a header, a decoration. `n` is its identity. */
interface PageElement {
    n: number;
    kind: "cell" | "header" | "footer" | "supplementary" | "decoration";
    type?: string;
    path: [section: number, item: number];
    row: number;
    frame: [x: number, y: number, width: number, height: number];
    z?: number;
    alpha?: number;
    transform?: [number, number, number, number, number, number];
    /** The lowest and the highest place of a pinned header along the scroll direction. */
    pinned?: [number, number];
    text: StyledText;
    columns?: StyledText[];
    secondary?: StyledText;
    image?: string;
    accessories?: Accessory[];
    /** The number of levels. */
    indent?: number;
    selected?: true;
    highlighted?: true;
    measured?: true;
    level?: number;
    expanded?: boolean;
    mark?: "inserted" | "updated";
    folded?: boolean;
}

interface PageContent {
    length: number;
    breadth: number;
    offset: number;
    adjustment: number;
    direction: "vertical" | "horizontal";
    /** The distances by which the content can be scrolled beyond its start and its end; 0 by default. */
    inset?: [before: number, after: number];
}

interface PageInfo {
    title: string;
    status: string;
    isComplete: boolean;
    rowCount: number;
    columnCount: number;
    role: "grid" | "listbox" | "treegrid";
    selectedCount: number;
    header?: StyledText[];
    sort?: [number, "ascending" | "descending"];
    indexTitles: [string, number][];
    filter: string;
    search: string;
    matches?: [number, boolean];
    canReorder?: boolean;
    /** True while keys move a row. */
    isMoving?: boolean;
    hasDetails?: boolean;
    /** True if rows can be searched by a text. */
    canSearch?: boolean;
    /** True if rows can be filtered by a text. */
    canFilter?: boolean;
    /** True if the layout leaves no space between rows, so that space without rows waits for them. */
    fillsSpace?: boolean;
    isMultiple?: boolean;
    /** True if rows can be dragged out of the view. */
    canDrag?: boolean;
    /** True if a drag of a row leaves the view; otherwise it moves the row, except with Alt. */
    dragsRows?: boolean;
    /** True if the view may take data from outside. */
    canDrop?: boolean;
}

/** The number of the row with the focus, 0 for none; the number of rows, of marked rows, and of those that are not shown. */
type Counts = [focused: number, rows: number, marked: number, hidden: number];

interface PageUpdate {
    version: number;
    /** The number of the update in its stream. */
    sequence: number;
    reset?: true;
    /** Absent only before the view has had a frame. */
    content?: PageContent;
    removed?: number[];
    elements?: PageElement[];
    order?: number[];
    animated?: true;
    active?: number | null;
    info?: PageInfo;
    counts?: Counts;
    /** All charts of the view, when one has changed. */
    charts?: BarChart[];
    /** The effect of a drop of the drag over the view, and its relation to the row there; null without a drag. */
    drop?: ["none" | "copy" | "move", "" | "at" | "into"] | null;
    message?: string;
    announcement?: string;
}

interface MenuItem { id: string; title: string; isDestructive?: boolean; isDisabled?: boolean }

/** An input of the user, in the form in which it crosses. */
type PageInput = [kind: string, ...values: unknown[]];

/** An element that the page shows, and what its node shows at present. */
interface ShownElement {
    data: PageElement;
    node: HTMLElement;
    box: HTMLElement;
    shape: string;
    /** The text of each cell, as it is shown. */
    texts: StyledText[];
    labels: HTMLElement[];
    /** The place, the size and the look of the node, as they were written last. */
    place: string;
    size: string;
    look: string;
    /** The active element is kept when it leaves the window. */
    isKept: boolean;
}
