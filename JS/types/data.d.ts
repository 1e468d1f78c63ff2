/** Stores, live queries, change sets and data sources, for scripts of a bridge that was created with data. */

/** The type of an attribute of an entity. */
type AttributeType = "boolean" | "integer" | "double" | "string" | "date" | "data";

/** A value of an attribute. An integer beyond 2^53 - 1 is a `bigint`. */
type AttributeValue = null | undefined | boolean | number | bigint | string | Date | Uint8Array;

/**
 * The attributes of an entity: for each its type, or its type with further properties. An attribute is `optional` by
 * default, and may be `null` then. A value of a `unique` attribute occurs in one row.
 */
interface AttributeDescriptions {
    [name: string]: AttributeType | { type: AttributeType; optional?: boolean; unique?: boolean };
}

/**
 * A row: its attributes, and its identity as `$id`. No attribute can have the name `$id`. An attribute `id`, which many
 * files have, is an ordinary attribute.
 *
 * A row refers to an index of a window that was fetched as columns. Its values are created on first access. It reads
 * like an object (keys, spread, JSON), keeps the values that it had when it was read, and is immutable.
 */
interface Row {
    /** The identity of the row in its entity, which `insert` returned. */
    readonly $id: number | bigint;
    readonly [attribute: string]: any;
}

/** A row or its `$id`. A row of another entity is a `TypeError`. */
type RowOrID = Row | number | bigint;

/** Comparisons of an attribute; all members must hold. Strings are compared by their UTF-8 bytes. */
interface Comparison {
    /** The value that the attribute has. */
    eq?: AttributeValue;
    /** A value that the attribute does not have. */
    ne?: AttributeValue;
    /** An upper bound, which is excluded. */
    lt?: AttributeValue;
    /** An upper bound, which is included. */
    lte?: AttributeValue;
    /** A lower bound, which is excluded. */
    gt?: AttributeValue;
    /** A lower bound, which is included. */
    gte?: AttributeValue;
    /** The beginning of the string. */
    beginsWith?: string;
    /** A part of the string. */
    contains?: string;
    /** The values of which the attribute has one. They count as one comparison. */
    in?: AttributeValue[];
}

/**
 * A condition on the related rows of a relationship. It must hold for `any` row, for `all` (true without rows)
 * or for `none`. `count` compares the number of related rows, or of those that match `of`.
 */
type RelatedCondition =
    | { any: Condition }
    | { all: Condition }
    | { none: Condition }
    | { count: number | { eq?: number; ne?: number; lt?: number; lte?: number; gt?: number; gte?: number }; of?: Condition };

/**
 * A condition on a row; all members must hold. A name is an attribute, a key path through relationships to one
 * (`author.city.name`), or a relationship. The names `and`, `or` and `not` are reserved.
 */
type Condition = {
    /** Conditions that must all hold. */
    and?: Condition[];
    /** Conditions of which at least one must hold. */
    or?: Condition[];
    /** A condition that must not hold. */
    not?: Condition;
} & { [attribute: string]: AttributeValue | Comparison | RelatedCondition | Condition | Condition[] };

/**
 * A result of a key function. `null`, `undefined` and NaN are the missing value, which sorts first. Numbers follow
 * (`true` is 1, a date its milliseconds), then strings by their UTF-8 bytes, with an unpaired surrogate as U+FFFD. A
 * `bigint` is allowed up to 2^53 - 1, because it is compared with numbers.
 */
type RowKey = number | string | boolean | bigint | Date | null | undefined;

/**
 * A function of a row's own attributes. It is called once for each version of a row: for all rows that match `where`
 * when the query is created, and later for rows that changed or begin to match `where`. It must return the same key for
 * the same row and cannot write to a store.
 */
type KeyFunction = (row: Row) => RowKey;

/** A sort key: an attribute, a key path through relationships to one, or a function. */
type SortKey = string | KeyFunction;

/**
 * A sort key with its direction. `name` identifies a function for `restoreState`. Without a name, a function is
 * identified by its source text, which functions share that differ only in their captured values.
 */
type DirectedSortKey = { key: SortKey; ascending?: boolean; name?: string };

/** A range of rows of a section that a script shows. */
interface RowWindow {
    /** The index of the section; 0 by default. */
    section?: number;
    /** The index of the first row; 0 by default. */
    from?: number;
    /** The index after the last row; by default the end of the section. */
    to?: number;
}

/** The options of a fetch: its rows, their order and their sections. */
interface FetchOptions {
    /**
     * The condition on the rows; all rows if it is missing. Rows also enter and leave when related rows that it depends
     * on change. A function is used as `filter`.
     */
    where?: Condition | ((row: Row) => boolean);
    /** A function that selects among those rows. */
    filter?: (row: Row) => boolean;
    /**
     * The order of the rows; the first attribute if it is missing. Rows that compare equal are ordered by their
     * identity. Missing values sort first.
     */
    sort?: SortKey | DirectedSortKey | (SortKey | DirectedSortKey)[];
    /** The attributes or functions whose values form a section. They are the first sort keys. */
    sectionBy?: SortKey | SortKey[];
    /** The maximum number of rows; unlimited by default. */
    limit?: number;
    /** The number of rows to skip at the start; 0 by default. */
    offset?: number;
    /** The range that `rows` returns; `setWindow` changes it. */
    window?: RowWindow;
}

/** The path of a row: the index of its section and its index in the section. */
interface RowPath {
    /** The index of the section. */
    section: number;
    /** The index in the section. */
    item: number;
}

/** The numbers of sections or rows that were inserted, deleted, moved and updated. */
interface ChangeCounts {
    /** The number of insertions. */
    inserted: number;
    /** The number of deletions. */
    deleted: number;
    /** The number of moves. */
    moved: number;
    /** The number of updates. */
    updated: number;
}

/** A change of a section: `from` is an index before all changes, `to` an index after them. */
type SectionChange =
    | { type: "insert"; from?: undefined; to: number }
    | { type: "delete"; from: number; to?: undefined }
    | { type: "move"; from: number; to: number };

/** A change of a row: `from` is a path before all changes, `to` a path after them. */
type RowChange =
    | { type: "insert"; from?: undefined; to: RowPath; id: number | bigint }
    | { type: "delete"; from: RowPath; to?: undefined; id: number | bigint }
    | { type: "move"; from: RowPath; to: RowPath; id: number | bigint }
    | { type: "update"; from: RowPath; to: RowPath; id: number | bigint };

/** The changes of a query by one or more transactions, with as few moves as possible. */
interface ChangeSet {
    /** Always false, unlike the member of {@link SourceChanges}: a change set names each change. */
    readonly all: false;
    /** The version of the store after the changes. */
    readonly version: number;
    /** The version of the store before the changes. It may be several commits older. */
    readonly oldVersion: number;
    /** The time from the commit to this change set. */
    readonly milliseconds: number | undefined;
    /** The numbers of changes of sections and of rows. Sections are never updated. */
    readonly counts: { sections: ChangeCounts; rows: ChangeCounts };
    /** The changes of sections, created on first access. */
    readonly sections: readonly SectionChange[];
    /** The changes of rows, created on first access. A moved row whose content changed is an update too. */
    readonly items: readonly RowChange[];
    /** The same array as `items`, under its older name. */
    readonly objects: readonly RowChange[];
    /**
     * All changes in one array. It begins with the numbers of deleted, inserted and moved sections, then of deleted,
     * inserted, moved and updated rows. The indices follow in the same order: one number for a section, two for a row,
     * the old index before the new one. Each access returns a copy.
     */
    readonly packed: Int32Array;
    /** The `$id` of each row, in the order of `packed`. Each access returns a copy. */
    readonly ids: Float64Array | BigInt64Array;
    /** Returns the change set that reverts this one. */
    inverse(): ChangeSet;
    /** Merges this change set with the next one of the same query into one, with as few moves as possible. */
    merging(next: ChangeSet): ChangeSet;
    /** Returns the counts as a string, for logs. */
    toString(): string;
}

/** The order of a query's rows at one version. */
interface Snapshot {
    /** The sections in order: the name, the values of the section keys, and the `$id` of each row. */
    readonly sections: { name: string; keys: AttributeValue[]; ids: number[] }[];
    /** Returns the order after the changes; throws if the changes do not belong to this order. */
    applying(changes: ChangeSet): Snapshot;
    /** Returns whether the other snapshot has the same order. */
    equals(other: Snapshot): boolean;
}

/**
 * The rows of a fetch request, updated while the store changes.
 *
 * Without a listener, a query shows the last commit. With one, it shows the version that its listeners were last
 * notified of: counts, paths and rows change together with the change set. While change sets are delivered, all queries
 * of a store show the same version, even if other writers commit meanwhile. This includes queries by related rows and
 * queries without a listener. A query that is created during the delivery shows the newest version.
 *
 * Inside `store.transaction`, the values of rows are read from the transaction, including writes that it may still roll
 * back. Counts, paths and sections are those of the version before the transaction. A row that the transaction deleted
 * is `undefined` in a window; a row that it inserted is in no window.
 */
interface Query extends Iterable<Row> {
    /** The number of rows in all sections. */
    readonly count: number;
    /** The version of the store that the query shows. */
    readonly version: number;
    /** The number of sections. */
    readonly numberOfSections: number;
    /** Returns the number of rows of a section; 0 if the section does not exist. */
    numberOfItems(section: number): number;
    /**
     * Returns the name, the key values, the index title and the row count of a section; `undefined` if it does not
     * exist.
     */
    section(index: number): { name: string; keys: AttributeValue[]; indexTitle: string | null; count: number } | undefined;
    /**
     * Returns a range of rows of a section, clipped to the rows that exist. A fractional bound includes the whole row.
     * The array is frozen, and the same array is returned again until something changes.
     */
    window(section?: number, from?: number, to?: number): readonly Row[];
    /** The rows of the window that was set, or all rows of section 0 without a window. */
    readonly rows: readonly Row[];
    /** Sets the window that `rows` returns. */
    setWindow(window: RowWindow): this;
    /** Returns the row at an index of a section; `undefined` if there is none. */
    item(section: number, item: number): Row | undefined;
    /** Returns the row at a path; `undefined` if there is none. */
    item(path: RowPath): Row | undefined;
    /** Returns the path of a row; `undefined` if the query does not show it. */
    indexOf(row: RowOrID): RowPath | undefined;
    /** Returns the present order of the rows. */
    snapshot(): Snapshot;
    /** Saves the state of a view by the identities of its rows, as JSON that may be stored, read and changed. */
    saveState(view?: StateView): StateArchive;
    /**
     * Finds the position of a view again, even after rows were sorted, filtered or deleted, and after a restart.
     *
     * The result names the rule that applied; it is `undefined` while the policy prevents restoring. An archive that is
     * incomplete, or has another version or schema, is refused: `error.code` is `state.unreadable`,
     * `state.unknownVersion` or `state.unknownSchema`.
     */
    restoreState(archive: StateArchive | string, view?: StateView): RestoredState | undefined;
    /** Inserts a row of the query's entity and returns its `$id`. */
    insert(values: { [attribute: string]: AttributeValue }): number;
    /** Updates the named attributes of a row. Returns false if the row does not exist. */
    update(row: RowOrID, values: { [attribute: string]: AttributeValue }): boolean;
    /** Deletes a row. Returns false if the row did not exist. */
    delete(row: RowOrID): boolean;
    /**
     * Adds a listener, which is called for every change after the transaction, never inside another call of the same
     * listener.
     *
     * Queries are notified in the order in which they got their first listener, and listeners of a query in the order
     * in which they were added. A listener that is added during a delivery is notified from the next change set on.
     * After `close()` no listener is called. If a time limit terminates a listener, the other listeners still get the
     * change set. A listener that returns a promise is not called again until the promise has settled. The changes that
     * arrive meanwhile are merged into one change set for it, no matter how many commits they come from. A listener
     * keeps a run from ending until it is removed, the query is closed, or `unref()` is called.
     * @returns A function that removes the listener.
     */
    onChange(listener: (changes: ChangeSet) => void | Promise<void>): () => void;
    /** Makes the listeners keep a run from ending, which is the default. */
    ref(): this;
    /** Makes the listeners not keep a run from ending. */
    unref(): this;
    /** Closes the query and frees the order of its rows. */
    close(): void;
    /** Closes the query, for `using`. */
    dispose(): void;
}

/** The state of a view with rows of one height, in any unit: pixels of a page, lines of a terminal. */
interface StateView {
    /** The scroll offset of the content; 0 by default. */
    offset?: number;
    /** The visible height of the content. */
    height?: number;
    /** The height of a row; 1 by default. */
    rowHeight?: number;
    /** The height of the header above each section; 0 by default. */
    headerHeight?: number;
    /** The paths of the selected rows. */
    selection?: RowPath[];
    /** The rows that are not selected, when all others are; replaces `selection`. */
    allExcept?: RowPath[];
    /** The path of the row that has the focus. */
    focus?: RowPath;
    /** The expanded elements, by names that the script chooses. */
    expanded?: string[];
    /** Values that the script stores in the archive. */
    values?: { [name: string]: AttributeValue };
    /**
     * The time to restore: as soon as rows were fetched (`allow`), when there are rows (`preventWhenEmpty`), or not now
     * (`prevent`).
     */
    policy?: "allow" | "preventWhenEmpty" | "prevent";
    /** The earlier `schema` values whose archives are valid for the present rows. */
    knownSchemas?: string[];
}

/**
 * The saved state of a view. Rows are identified by their identifiers (`x-store://STORE/entity/p42`, or the identifiers
 * of a script's source), never by their indices.
 */
interface StateArchive {
    /** The version of the format. */
    version: number;
    /** The identifier of the shape of the rows. An archive of another shape is refused. */
    schema: string;
    /** The identifier of the request that was displayed. */
    request: string;
    /** The time of creation, in seconds since 1970. */
    time?: number;
    /**
     * The first visible or partly visible row: its distance from the viewport's edge, negative if it was partly
     * visible, and its length.
     */
    anchor?: { id: string; offset: number; length: number };
    /** The rows around the anchor, the nearest first. */
    fallbacks?: { id: string; offset: number; length: number }[];
    /** The keys that identify the anchor's section. */
    section?: unknown[];
    /** The names of the sort keys. */
    sortedBy?: string[];
    /** The anchor's values of the sort keys. */
    sortKey?: unknown[];
    /** The scroll position of the content, from 0 to 1. */
    proportion?: number;
    /** The identifiers of the selected rows. */
    selected?: string[];
    /** The identifiers of the rows that are not selected, when all others are; replaces `selected`. */
    allExcept?: string[];
    /** The identifier of the row that had the focus. */
    focus?: string;
    /** The names of the expanded elements. */
    expanded?: string[];
    /** The values that the script stored. */
    values?: { [name: string]: unknown };
}

/** The restored state of a view. */
interface RestoredState {
    /**
     * The first rule that applied: the row itself, a neighbor, its position in the order, its section, the scrolled
     * proportion, or the top.
     */
    rule: "anchor" | "fallback" | "sortKey" | "section" | "proportion" | "top";
    /** The path of the row that determined the position; `undefined` for a proportion and for the top. */
    path: RowPath | undefined;
    /** The scroll offset of the content. */
    offset: number;
    /** True if the content is too short for the row to be at its previous position. */
    isClamped: boolean;
    /** The paths of the selected rows that still exist. */
    selection?: RowPath[];
    /** The paths of the rows that are not selected, when all others are. */
    allExcept?: RowPath[];
    /** The path of the row that had the focus; `undefined` if it is gone. */
    focus: RowPath | undefined;
    /** The names of the expanded elements. */
    expanded: string[];
    /** The number of marked rows that are gone. */
    missing: number;
    /** The values that the script stored in the archive. */
    values: { [name: string]: AttributeValue };
}

/** A store that the host provides to scripts. */
interface Store {
    /** The name of the store. */
    readonly name: string;
    /** The entities that the script may use, with their attributes. */
    readonly entities: { [name: string]: { [attribute: string]: { type: AttributeType; optional: boolean; unique: boolean } } };
    /** Creates an entity; has no effect if an entity of the same shape exists. No attribute can have the name `$id`. */
    createEntity(name: string, attributes: AttributeDescriptions): void;
    /**
     * Imports a CSV file in one transaction, entirely or not at all.
     *
     * The file must be a regular file that is granted to this script. Errors name lines and columns by number and never
     * contain their values.
     *
     * If the entity does not exist, it is created from the columns: integers become `integer`, other numbers `double`,
     * `true` and `false` `boolean`, ISO dates `date`, everything else `string`. An empty field is `null`, except in a
     * string column, where it is an empty string. With a key, existing rows are updated (`upsert`, the default then),
     * and `replace` also deletes the rows that are missing in the file. The delimiter is one ASCII character, `,` by
     * default.
     *
     * @throws Error whose `code` is `invalidArgument` for an unknown option, `limitExceeded` for a record of more than
     *     16 MiB or 32,768 fields, or `store.importFailed` with file and line for an invalid record.
     */
    importCSV(
        path: string,
        options: { entity: string; key?: string; mode?: "insert" | "upsert" | "replace"; delimiter?: string },
    ): { rows: number; inserted: number; updated: number; deleted: number; unchanged: number };
    /** Inserts a row and returns its `$id`. */
    insert(entity: string, values: { [attribute: string]: AttributeValue }): number;
    /** Updates the named attributes of a row. Returns false if the row does not exist. */
    update(entity: string, row: RowOrID, values: { [attribute: string]: AttributeValue }): boolean;
    /** Updates the row that has the same value of a unique attribute, or inserts one. */
    upsert(entity: string, key: string, values: { [attribute: string]: AttributeValue }): number;
    /** Deletes a row. Returns false if the row did not exist. */
    delete(entity: string, row: RowOrID): boolean;
    /** Returns a live query of the rows of an entity. */
    fetch(entity: string, options?: FetchOptions): Query;
    /**
     * Runs a function as one transaction, which is rolled back if the function throws. A nested transaction is a
     * savepoint.
     */
    transaction<Result>(body: () => Result): Result;
}

/**
 * A data source that a script provides to the host. Missing members have the defaults of a list with one section.
 *
 * The functions return values, not promises. The host validates every result. A promise, an invalid count, an array
 * of another length, or changes that do not match the counts before and after are errors there, which name the source.
 */
interface ScriptDataSource<Item = unknown> {
    /** The number of sections; at most 100,000 if the host keeps a mirror or observes changes. */
    numberOfSections?: number | (() => number);
    /** The number of items of a section: an integer from 0 to 2^31 - 1. */
    numberOfItems: number | ((section: number) => number);
    /** Returns exactly the items from one index up to another; all of them exist. */
    window?(section: number, from: number, to: number): Item[];
    /** Returns one item that exists. A source has `window` or `item`; `window` is preferred. */
    item?(section: number, item: number): Item;
    /** Returns the title of a section's header; `null` or `undefined` for none. */
    headerTitle?(section: number): string | null | undefined;
    /** Returns the title of a section's footer; `null` or `undefined` for none. */
    footerTitle?(section: number): string | null | undefined;
    /**
     * Returns the permanent identifier of an item, for `saveState`. Without this function it is the `$id` of a row, the
     * `id` of another item, or the item itself if that is a string or a number. It returns `null` or `undefined` for an
     * item without a permanent identifier. The number 1 and the string "1" are the same identifier.
     */
    identifier?(item: Item, section: number, index: number): string | number | bigint | null | undefined;
    /**
     * Returns the path of the item with an identifier. Without this function, all items are asked for their identifiers
     * once after each change.
     */
    indexOf?(identifier: string): RowPath | null | undefined;
    /**
     * Returns the identifier of a section. Without this function it is the section's `headerTitle`, or else its index.
     */
    sectionIdentifier?(section: number): string | number;
    /**
     * The properties by which the items are ordered across all sections; a minus marks descending order: `["country",
     * "-age"]`.
     */
    sortKeys?: string[];
    /** The type of the items; by default the source's name. Archives with another schema are refused. */
    schema?: string;
}

/** A data source that a script has registered, as the script controls it. */
interface RegisteredDataSource {
    /** The name under which the source is registered. */
    readonly name: string;
    /** Notifies all readers of the source on the host's side, in the order in which they began to observe it. */
    reload(changes?: "all" | readonly AnnouncedChange[]): void;
    /** Removes the source and notifies its readers. It has no effect after another source has replaced this one. */
    remove(): void;
    /** Saves the state of a view by the identifiers of its items, as a query does. */
    saveState(view?: StateView): StateArchive;
    /** Finds the position of a view again and names the rule that applied, as a query does. */
    restoreState(archive: StateArchive | string, view?: StateView): RestoredState | undefined;
}

/** A change that a script announces for its own data source. */
type AnnouncedChange =
    | { kind: "section"; type: "insert" | "delete" | "move" | "update"; from?: number; to?: number }
    | { kind?: "item"; type: "insert" | "delete" | "move" | "update"; from?: RowPath | [number, number]; to?: RowPath | [number, number] };

/** Keys as numbers of one type. */
type TypedKeys =
    | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array
    | BigInt64Array | BigUint64Array;

/** The difference between two arrays of keys. */
interface KeyDifference {
    /** The changes in the form of `ChangeSet.packed`. */
    readonly packed: Int32Array;
    /** The changes of the section, which is inserted or deleted if one of the arrays is empty. */
    readonly sections: readonly SectionChange[];
    /** The changes of the keys. */
    readonly items: readonly (
        | { type: "insert"; from?: undefined; to: RowPath }
        | { type: "delete"; from: RowPath; to?: undefined }
        | { type: "move"; from: RowPath; to: RowPath }
    )[];
}

/** The changes that a data source of the host announces. */
interface SourceChanges {
    /** True if everything must be read again. */
    readonly all: boolean;
    /** The changes of sections, in the order in which they were announced. */
    readonly sections: { type: "insert" | "delete" | "move" | "update"; from?: number; to?: number }[];
    /** The changes of items, in the order in which they were announced. */
    readonly items: { type: "insert" | "delete" | "move" | "update"; from?: RowPath; to?: RowPath }[];
    /** The changes of `items`, under their older name. */
    readonly objects: SourceChanges["items"];
}

/** A data source that the host shows. A path without an item is never an error. */
interface HostDataSource<Item = any> extends Iterable<Item> {
    /** The name of the source. */
    readonly name: string;
    /** The version of the store that a fetched source shows; `undefined` for other sources. */
    readonly version: number | undefined;
    /** The number of sections. */
    readonly numberOfSections: number;
    /** The number of items in all sections. */
    readonly count: number;
    /** Returns the number of items of a section. */
    numberOfItems(section: number): number;
    /** Returns the item at an index of a section; `undefined` if there is none. */
    item(section: number, item: number): Item | undefined;
    /** Returns a range of items of a section as a frozen array, clipped to the items that exist. */
    window(section?: number, from?: number, to?: number): readonly Item[];
    /**
     * Returns the path of an item: by the item, by a row's `$id`, or by its identifier in `saveState`. Throws an error
     * with the code `unsupported` if items have no identities.
     */
    indexOf(id: Item | string | number | bigint): RowPath | undefined;
    /** Returns the next path that has an item. */
    after(section: number, item: number): RowPath | undefined;
    /** Returns the title of a section's header; `undefined` for none. */
    headerTitle(section: number): string | undefined;
    /** Returns the title of a section's footer; `undefined` for none. */
    footerTitle(section: number): string | undefined;
    /**
     * Saves the state of a view, as a query does. Throws an error with the code `unsupported` if items have no
     * identities.
     */
    saveState(view?: StateView): StateArchive;
    /** Finds the position of a view again, as a query does. */
    restoreState(archive: StateArchive | string, view?: StateView): RestoredState | undefined;
    /** Adds a listener, which is called for every change. @returns A function that removes the listener. */
    onChange(listener: (changes: SourceChanges) => void): () => void;
}

/** The data API of `bridge`. */
interface Bridge {
    /** Returns a store of the host, by default the one named `default`. */
    store(name?: string): Store;
    /** Registers a data source for the host under a name and replaces one that already has the name. */
    registerDataSource<Item>(name: string, source: ScriptDataSource<Item>): RegisteredDataSource;
    /** Returns the data source that the host shows under a name; throws if there is none. */
    dataSource<Item = any>(name: string): HostDataSource<Item>;
    /**
     * Sorts objects by a key of each and returns their indices: `order[0]` is the index of the first. The function is
     * called once for each object. The host sorts the keys; the sort is stable.
     */
    order<Item>(objects: readonly Item[], key: (object: Item, index: number) => RowKey, options?: { ascending?: boolean }): Int32Array;
    /**
     * Compares two arrays of keys and returns the changes, with as few moves as possible. Each key occurs once in an
     * array. Strings are equal if `===` says so.
     */
    difference(before: TypedKeys, after: TypedKeys): KeyDifference;
    /** Compares two arrays of keys of several types, with the same result. */
    difference(before: readonly RowKey[], after: readonly RowKey[]): KeyDifference;
}
