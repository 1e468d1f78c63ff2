/**
 * Stores, live queries, change sets and data sources, for scripts of a bridge that was made with data.
 */

/** What one attribute of an entity holds. */
type AttributeType = "boolean" | "integer" | "double" | "string" | "date" | "data";

/** A value of an attribute. A whole number beyond 2^53 - 1 is a `bigint`. */
type AttributeValue = null | undefined | boolean | number | bigint | string | Date | Uint8Array;

/** The attributes of an entity: for each a type, or a type with what else it is. */
interface AttributeDescriptions {
    [name: string]: AttributeType | { type: AttributeType; optional?: boolean; unique?: boolean };
}

/**
 * A row: its attributes, and its identity as `$id`, a name that no attribute has. An attribute `id`, as many files have one, is
 * an attribute as any other.
 *
 * It stands for a place in a window that was fetched as columns: a value is made when it is touched. It reads like an
 * object (keys, spread, JSON), stays as it was when it was read, and nobody changes it.
 */
interface Row {
    /** The identity of the row in its entity: what `insert` returned. */
    readonly $id: number | bigint;
    readonly [attribute: string]: any;
}

/** A row, by itself or by its `$id`. A row of another entity is a `TypeError`. */
type RowOrID = Row | number | bigint;

/** How an attribute is compared; all members must hold. Texts are compared by their UTF-8 bytes. */
interface Comparison {
    eq?: AttributeValue;
    ne?: AttributeValue;
    lt?: AttributeValue;
    lte?: AttributeValue;
    gt?: AttributeValue;
    gte?: AttributeValue;
    beginsWith?: string;
    contains?: string;
    in?: AttributeValue[];
}

/** What is asked of the rows that a relationship leads to: a condition of some, of each (true where there are none), of none; or how many there are, of those that a condition holds for. */
type RelatedCondition =
    | { any: Condition }
    | { all: Condition }
    | { none: Condition }
    | { count: number | { eq?: number; ne?: number; lt?: number; lte?: number; gt?: number; gte?: number }; of?: Condition };

/**
 * A condition on a row; all members must hold. A name is an attribute, a way to one through relationships
 * (`author.city.name`), or a relationship. The names `and`, `or` and `not` are taken.
 */
type Condition = {
    and?: Condition[];
    or?: Condition[];
    not?: Condition;
} & { [attribute: string]: AttributeValue | Comparison | RelatedCondition | Condition | Condition[] };

/** What a key function may give: a `bigint` up to 2^53 - 1, as it is compared with numbers. `null`, `undefined` and NaN are no value, which comes first; then numbers (`true` is 1, a date its milliseconds), then texts by their UTF-8 bytes, half of a surrogate pair as U+FFFD. */
type RowKey = number | string | boolean | bigint | Date | null | undefined;

/**
 * A function of a row's own attributes. It is called once for each version of a row: for all rows that `where` lets through
 * when the query is made, later for rows that changed or that `where` lets through then. It must give the same for the same row, and cannot write to a store.
 */
type KeyFunction = (row: Row) => RowKey;

/** What rows are ordered by: an attribute, a way to one through relationships, or a function. */
type SortKey = string | KeyFunction;

/**
 * A sort key with its direction. `name` is that of a function, by which `restoreState` knows it again: without it a function
 * is known by its text, which those that differ only in what they capture have in common.
 */
type DirectedSortKey = { key: SortKey; ascending?: boolean; name?: string };

/** Some rows of a section: those that a script shows. */
interface RowWindow {
    section?: number;
    from?: number;
    to?: number;
}

/** What to fetch, in which order, and how it falls into sections. */
interface FetchOptions {
    /** Which rows; all where it is left out. Rows come and go with the related rows that it asks of. A function is a `filter`. */
    where?: Condition | ((row: Row) => boolean);
    /** Which of those, by a function. */
    filter?: (row: Row) => boolean;
    /** The order, by the first attribute where it is left out; rows that it leaves equal are ordered by their identity. No value comes first. */
    sort?: SortKey | DirectedSortKey | (SortKey | DirectedSortKey)[];
    /** The attributes or functions whose values make a section. The order begins with them. */
    sectionBy?: SortKey | SortKey[];
    limit?: number;
    offset?: number;
    /** The part that `rows` gives; `setWindow` moves it. */
    window?: RowWindow;
}

/** The place of a row: the section's index and the row's index in it. */
interface RowPath {
    section: number;
    item: number;
}

/** How many sections or rows were inserted, deleted, moved and updated. */
interface ChangeCounts {
    inserted: number;
    deleted: number;
    moved: number;
    updated: number;
}

/** One change: `from` is a place before all changes, `to` one after them. */
type SectionChange = { type: "insert"; to: number } | { type: "delete"; from: number } | { type: "move"; from: number; to: number };

/** One change: `from` is a place before all changes, `to` one after them. */
type RowChange =
    | { type: "insert"; to: RowPath; id: number | bigint }
    | { type: "delete"; from: RowPath; id: number | bigint }
    | { type: "move"; from: RowPath; to: RowPath; id: number | bigint }
    | { type: "update"; from: RowPath; to: RowPath; id: number | bigint };

/** What one or more transactions changed in a query: with as few moves as possible. */
interface ChangeSet {
    readonly all: false;
    /** The version of the store after the changes. */
    readonly version: number;
    /** The version before them; several commits may lie between the two. */
    readonly oldVersion: number;
    /** From the commit to this change set. */
    readonly milliseconds: number | undefined;
    readonly counts: { sections: ChangeCounts; rows: ChangeCounts };
    /** The changes of sections, made when first asked for. */
    readonly sections: readonly SectionChange[];
    /** The changes of rows, made when first asked for. A moved row whose content changed is an update too. */
    readonly items: readonly RowChange[];
    /** The same list, by its older name. */
    readonly objects: readonly RowChange[];
    /**
     * All changes as one list: the numbers of deleted, inserted and moved sections, of deleted, inserted, moved and updated
     * rows, then their places in that order: one number a section, two a row, old before new. A copy.
     */
    readonly packed: Int32Array;
    /** The `$id` of each row, in the order of `packed`. A copy. */
    readonly ids: Float64Array | BigInt64Array;
    /** The change set that leads back. */
    inverse(): ChangeSet;
    /** This change set and the one of the same query that follows it as one, with as few moves as possible. */
    merging(next: ChangeSet): ChangeSet;
    toString(): string;
}

/** The order of a query's rows at one version. */
interface Snapshot {
    readonly sections: { name: string; keys: AttributeValue[]; ids: number[] }[];
    /** The order after changes; an error where they do not belong to this order. */
    applying(changes: ChangeSet): Snapshot;
    equals(other: Snapshot): boolean;
}

/**
 * The rows of a fetch request, kept right while the store changes.
 *
 * Without a listener it shows the last commit. With one it shows the version that the listener was told of last:
 * counts, paths and rows change along with the change set. While changes are delivered all queries of a store show one
 * version, whoever commits meanwhile, also those by related rows and those without a listener; a query that is made then
 * shows the newest one.
 *
 * Inside `store.transaction` the values of rows are read from the transaction: they are what it has written so far, also
 * what it may still roll back, while counts, paths and sections are those of the version before it. There a row that it
 * deleted is `undefined` in a window, and one that it inserted is in none.
 */
interface Query extends Iterable<Row> {
    readonly count: number;
    readonly version: number;
    readonly numberOfSections: number;
    numberOfItems(section: number): number;
    section(index: number): { name: string; keys: AttributeValue[]; indexTitle: string | null; count: number } | undefined;
    /**
     * Some rows of a section; the part that is not there is left out, and a row of which a fraction is asked for counts
     * whole. The list is frozen, and the same one is given again while nothing has changed.
     */
    window(section?: number, from?: number, to?: number): readonly Row[];
    /** The rows of the window that was named, all of section 0 where none was. */
    readonly rows: readonly Row[];
    /** Names the window that `rows` gives. */
    setWindow(window: RowWindow): this;
    item(section: number, item: number): Row | undefined;
    item(path: RowPath): Row | undefined;
    indexOf(row: RowOrID): RowPath | undefined;
    snapshot(): Snapshot;
    /** Notes where a view is, by the identities of its rows: JSON that may be kept, read and changed. */
    saveState(view?: StateView): StateArchive;
    /**
     * Finds a view's place again, also after rows were sorted, filtered and deleted, and after a restart.
     *
     * The result says by which rule; `undefined` where the policy says not yet. An archive that is not whole, or of another
     * version or shape, is refused: `error.code` is `state.unreadable`, `state.unknownVersion` or `state.unknownSchema`.
     */
    restoreState(archive: StateArchive | string, view?: StateView): RestoredState | undefined;
    insert(values: { [attribute: string]: AttributeValue }): number;
    update(row: RowOrID, values: { [attribute: string]: AttributeValue }): boolean;
    delete(row: RowOrID): boolean;
    /**
     * Calls a function with every change, after the transaction, never inside another call of it.
     *
     * Queries are told in the order in which they began to have listeners, listeners of a query in the order in which
     * they were added. One that is added while a change set is delivered is told from the next one on; after `close()`
     * nobody is told of anything. One that a time limit stops does not keep the change set from the others.
     * A listener that returns a promise is not called again until that has settled: what comes meanwhile is one merged
     * change set for it, however many commits it was.
     * A listener keeps a run from ending until it is stopped, the query closed, or `unref()` was called.
     * @returns A function that stops it.
     */
    onChange(listener: (changes: ChangeSet) => void | Promise<void>): () => void;
    ref(): this;
    unref(): this;
    /** Ends it, and frees the order of its rows. */
    close(): void;
    dispose(): void;
}

/** A view with rows of one height, in any unit: pixels of a page, lines of a terminal. */
interface StateView {
    /** How far the content is scrolled; 0 by default. */
    offset?: number;
    /** How much of the content is seen at once. */
    height?: number;
    /** The height of a row; 1 by default. */
    rowHeight?: number;
    /** The height of what stands above each section; 0 by default. */
    headerHeight?: number;
    selection?: RowPath[];
    /** In place of `selection`: all rows are selected but these. */
    allExcept?: RowPath[];
    focus?: RowPath;
    /** What is unfolded, by names that the script gives. */
    expanded?: string[];
    /** What the script keeps with the archive. */
    values?: { [name: string]: AttributeValue };
    /** When to restore: as soon as rows were fetched (`allow`), when there are some, or not now. */
    policy?: "allow" | "preventWhenEmpty" | "prevent";
    /** Earlier `schema` members whose archives are right for the present rows. */
    knownSchemas?: string[];
}

/**
 * Where a view was. Rows are named by their identifiers (`x-store://STORE/entity/p42`, or what a script's source names its
 * items), never by their places.
 */
interface StateArchive {
    version: number;
    schema: string;
    request: string;
    time?: number;
    anchor?: { id: string; offset: number; length: number };
    fallbacks?: { id: string; offset: number; length: number }[];
    section?: unknown[];
    sortedBy?: string[];
    sortKey?: unknown[];
    proportion?: number;
    selected?: string[];
    allExcept?: string[];
    focus?: string;
    expanded?: string[];
    values?: { [name: string]: unknown };
}

/** A view's place, found again. */
interface RestoredState {
    /** The first rule that applied: the row itself, a neighbour, its place in the order, its section, how far, the top. */
    rule: "anchor" | "fallback" | "sortKey" | "section" | "proportion" | "top";
    path: RowPath | undefined;
    /** How far to scroll the content. */
    offset: number;
    /** Whether the content ends too early for the row to stand where it stood. */
    isClamped: boolean;
    selection?: RowPath[];
    allExcept?: RowPath[];
    focus: RowPath | undefined;
    expanded: string[];
    /** How many marked rows are gone. */
    missing: number;
    values: { [name: string]: AttributeValue };
}

/** A store that the host lends to scripts. */
interface Store {
    readonly name: string;
    readonly entities: { [name: string]: { [attribute: string]: { type: AttributeType; optional: boolean; unique: boolean } } };
    /** Adds an entity; changes nothing where one of the same shape is there. No attribute has the name `$id`. */
    createEntity(name: string, attributes: AttributeDescriptions): void;
    /**
     * Imports a file of comma-separated text in one transaction: all of it or nothing.
     *
     * The file is a regular one that is granted to this script; errors name lines and columns by number, never what they hold.
     *
     * An entity that is not there is made of what the file holds: a column of whole numbers is an `integer`, one of
     * numbers a `double`, one of `true` and `false` a `boolean`, one of ISO dates a `date`, every other a `string`. An empty
     * field is `null`, but in a column of text, where it is empty text. With a key the rows that are there are updated (`upsert`,
     * the default then), and with `replace` those that the file does not have are deleted. The delimiter is one ASCII
     * character, `,` by default.
     *
     * @throws BridgeError `invalidArgument` for an option that there is not; `limitExceeded` for a record of more than 16 MiB
     *     or 32,768 fields; `store.importFailed` with file and line for one that is wrong.
     */
    importCSV(
        path: string,
        options: { entity: string; key?: string; mode?: "insert" | "upsert" | "replace"; delimiter?: string },
    ): { rows: number; inserted: number; updated: number; deleted: number; unchanged: number };
    insert(entity: string, values: { [attribute: string]: AttributeValue }): number;
    update(entity: string, row: RowOrID, values: { [attribute: string]: AttributeValue }): boolean;
    /** Updates the row that has the same value of a unique attribute, or adds one. */
    upsert(entity: string, key: string, values: { [attribute: string]: AttributeValue }): number;
    delete(entity: string, row: RowOrID): boolean;
    fetch(entity: string, options?: FetchOptions): Query;
    /** Runs a function as one transaction: if it throws, nothing was done. Inside another it is a savepoint. */
    transaction<Result>(body: () => Result): Result;
}

/**
 * A data source that a script offers to the host. What is missing has the default of a list with one section.
 *
 * The host looks at every answer: one that is no count, a list of another length, or changes that do not lead from the
 * counts before to the counts after are errors there that name the source.
 */
interface ScriptDataSource<Item = unknown> {
    /** At most 100,000 where the host keeps a mirror or hears of changes. */
    numberOfSections?: number | (() => number);
    numberOfItems: number | ((section: number) => number);
    /** Exactly the items from one place up to another, all of which are there. */
    window?(section: number, from: number, to: number): Item[];
    item?(section: number, item: number): Item;
    headerTitle?(section: number): string | null | undefined;
    footerTitle?(section: number): string | null | undefined;
    /**
     * What names an item for ever, for `saveState`; without it the `$id` of a row or the `id` of another item, or the item itself where it is a text or a
     * number. Nothing for one that has no lasting name. The number 1 and the text "1" are one name.
     */
    identifier?(item: Item, section: number, index: number): string | number | bigint | null | undefined;
    /** Where the item of a name is; without it all items are asked for their names once after each change. */
    indexOf?(identifier: string): RowPath | null | undefined;
    /** What tells a section from others; without it its `headerTitle`, else its number. */
    sectionIdentifier?(section: number): string | number;
    /** The members that the items are in the order of, over all sections; a descending one with a minus: `["country", "-age"]`. */
    sortKeys?: string[];
    /** What the items are of; without it the source's name. Archives of others are refused. */
    schema?: string;
}

/** A data source that a script has registered, in its own hand. */
interface RegisteredDataSource {
    readonly name: string;
    /** Tells everyone on the host's side who reads the source, in the order in which they began to. */
    reload(changes?: "all" | readonly AnnouncedChange[]): void;
    remove(): void;
    /** Notes where a view is, by the names of its items: as that of a query. */
    saveState(view?: StateView): StateArchive;
    /** Finds a view's place again, and says by which rule: as that of a query. */
    restoreState(archive: StateArchive | string, view?: StateView): RestoredState | undefined;
}

/** A change that a script announces for its own data source. */
type AnnouncedChange =
    | { kind: "section"; type: "insert" | "delete" | "move" | "update"; from?: number; to?: number }
    | { kind?: "item"; type: "insert" | "delete" | "move" | "update"; from?: RowPath | [number, number]; to?: RowPath | [number, number] };

/** Keys as numbers of one kind. */
type TypedKeys =
    | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array
    | BigInt64Array | BigUint64Array;

/** What two lists of keys differ in. */
interface KeyDifference {
    /** As `ChangeSet.packed`. */
    readonly packed: Int32Array;
    /** The section comes or goes where one of the lists is empty. */
    readonly sections: readonly SectionChange[];
    readonly items: readonly ({ type: "insert"; to: RowPath } | { type: "delete"; from: RowPath } | { type: "move"; from: RowPath; to: RowPath })[];
}

/** What a data source of the host tells. */
interface SourceChanges {
    /** Whether everything is to be read again. */
    readonly all: boolean;
    readonly sections: { type: "insert" | "delete" | "move" | "update"; from?: number; to?: number }[];
    readonly items: { type: "insert" | "delete" | "move" | "update"; from?: RowPath; to?: RowPath }[];
    readonly objects: SourceChanges["items"];
}

/** A data source that the host shows. A path that is not there is never an error. */
interface HostDataSource<Item = any> extends Iterable<Item> {
    readonly name: string;
    /** The version of the store that a fetched source shows; nothing for other sources. */
    readonly version: number | undefined;
    readonly numberOfSections: number;
    /** The items of all sections. */
    readonly count: number;
    numberOfItems(section: number): number;
    item(section: number, item: number): Item | undefined;
    window(section?: number, from?: number, to?: number): readonly Item[];
    /** Where an item is: by the item, by a row's `$id`, or by what names it in `saveState`. An error with the code `unsupported` where items have no identities. */
    indexOf(id: Item | string | number | bigint): RowPath | undefined;
    /** The next path that has an item. */
    after(section: number, item: number): RowPath | undefined;
    headerTitle(section: number): string | undefined;
    footerTitle(section: number): string | undefined;
    /** Notes where a view is, as a query does; an error with the code `unsupported` where items have no identities. */
    saveState(view?: StateView): StateArchive;
    /** Finds a view's place again, as a query does. */
    restoreState(archive: StateArchive | string, view?: StateView): RestoredState | undefined;
    /** Calls a function with every change. @returns A function that stops it. */
    onChange(listener: (changes: SourceChanges) => void): () => void;
}

interface Bridge {
    /** A store of the host, `default` where no name is given. */
    store(name?: string): Store;
    /**
     * Offers a data source to the host under a name; one that has the name already is replaced.
     */
    registerDataSource<Item>(name: string, source: ScriptDataSource<Item>): RegisteredDataSource;
    /** A data source that the host shows under a name; an error where it shows none. */
    dataSource<Item = any>(name: string): HostDataSource<Item>;
    /**
     * The places of objects in the order of a key of each: `order[0]` is the place of the first. The function is called once
     * for each object; keys are sorted by the host, and equal ones stay in their order.
     */
    order<Item>(objects: readonly Item[], key: (object: Item, index: number) => RowKey, options?: { ascending?: boolean }): Int32Array;
    /** What changed from one list of keys to another, each key once in a list, with as few moves as possible. Texts are the same where `===` says so. */
    difference(before: TypedKeys, after: TypedKeys): KeyDifference;
    difference(before: readonly RowKey[], after: readonly RowKey[]): KeyDifference;
}
