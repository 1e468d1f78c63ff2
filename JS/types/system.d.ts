/** The built-in modules that give scripts the system, as far as the host grants it. */

/**
 * Files of granted folders. All functions are asynchronous. A path is a string, relative to the folder that the host
 * has set (the working directory), or the URL of a file. Symbolic links are not followed.
 *
 * Errors are a `BridgeError`: `denied` without a grant, `limitExceeded`, `invalidArgument`, or a code such as
 * `fs.notFound`, with the path as it was given as `data.path`, and the system's name as `data.errno`.
 */
declare module "bridge:fs" {
    /** A path, or the URL of a file. */
    type Path = string | { readonly href: string };

    /** The options of every function. */
    interface FileOptions {
        /** Rejects the promise with its reason, and ends the work. */
        signal?: AbortSignal;
    }

    /** The options of `writeFile` and `writeTextFile`. */
    interface WriteOptions extends FileOptions {
        /** Appends to the file. Otherwise a new file replaces it when it is whole. */
        append?: boolean;
        /** Creates the file if it does not exist; true by default. */
        create?: boolean;
        /** Creates the file, which must not exist. */
        createNew?: boolean;
        /** The permission bits of a new file, from 0 to 0o777. */
        mode?: number;
    }

    /** The kind of an entry: none is true for a pipe, a socket or a device. */
    interface FileKind {
        /** True for a regular file. */
        readonly isFile: boolean;
        /** True for a folder. */
        readonly isDirectory: boolean;
        /** True for a symbolic link. */
        readonly isSymlink: boolean;
    }

    /** An entry of a folder. */
    interface DirEntry extends FileKind {
        /** The name of the entry, without its folder. */
        readonly name: string;
    }

    /** The status of an entry. */
    interface FileInfo extends FileKind {
        /** The size in bytes. */
        readonly size: number;
        /** The time of the last change of the content. */
        readonly mtime: Date;
        /** The permission bits, from 0 to 0o7777. */
        readonly mode: number;
    }

    /** A change that `watch` reports. */
    interface FsEvent {
        /** `overflow` after changes that were lost because they came too fast. */
        readonly kind: "create" | "modify" | "remove" | "overflow";
        /** The path that is watched, or that of an entry in it. */
        readonly path: string;
    }

    /** Items that are read as a loop asks for them. Leaving the loop ends the work. */
    interface Items<Item> extends AsyncIterableIterator<Item> {
        /** Ends the work and resolves to a result that is done, with the value. */
        return(value?: any): Promise<IteratorResult<Item>>;
    }

    /** Reads a file, by default of at most 64 MiB. */
    export function readFile(path: Path, options?: FileOptions): Promise<Uint8Array>;
    /** Reads a file of UTF-8; another one is the error `fs.malformedText`. */
    export function readTextFile(path: Path, options?: FileOptions): Promise<string>;
    /** Reads the lines of a file of any size, of at most 1 MiB each by default, without their ends. */
    export function readLines(path: Path, options?: FileOptions): Items<string>;
    /** Writes bytes to a file, by default at most 64 MiB. Longer content is the error `limitExceeded`. */
    export function writeFile(path: Path, bytes: ArrayBuffer | ArrayBufferView, options?: WriteOptions): Promise<void>;
    /** Writes a string to a file as UTF-8, with the limit of `writeFile`. */
    export function writeTextFile(path: Path, text: string, options?: WriteOptions): Promise<void>;
    /** Lists the entries of a folder, in no order. */
    export function readDir(path: Path, options?: FileOptions): Items<DirEntry>;
    /** Returns the status of an entry; that of a symbolic link is the link's own. */
    export function stat(path: Path, options?: FileOptions): Promise<FileInfo>;
    /**
     * Creates a folder. With `recursive` it also creates the folders above, and a folder that exists is not an error.
     */
    export function makeDir(path: Path, options?: FileOptions & { recursive?: boolean; mode?: number }): Promise<void>;
    /** Removes an entry. With `recursive` it also removes all that is below a folder, up to 256 levels. */
    export function remove(path: Path, options?: FileOptions & { recursive?: boolean }): Promise<void>;
    /** Renames an entry, and replaces the one that has the new name; reading the old path must be granted too. */
    export function rename(path: Path, newPath: Path, options?: FileOptions): Promise<void>;
    /** Copies a file. A new file gets its permission bits; the content of an existing file is replaced. */
    export function copyFile(path: Path, newPath: Path, options?: FileOptions): Promise<void>;
    /** Reports the changes of a file, or of a folder's entries, until the watched entry itself is removed. */
    export function watch(path: Path, options?: FileOptions): Items<FsEvent>;

    /** All functions of the module. */
    const files: Omit<typeof import("bridge:fs"), "default">;
    export default files;
}

/** The process of the script, where the host gives it: in `jsbridge run`. */
declare module "bridge:process" {
    /** A standard stream for output. */
    interface Output {
        /** Writes exactly these bytes, or the text as UTF-8. The promise is resolved when the reader has taken them. */
        write(data: string | ArrayBuffer | ArrayBufferView, options?: { signal?: AbortSignal }): Promise<void>;
    }

    /** The standard stream for input. A loop over it reads its bytes in the parts in which they arrive. */
    interface Input extends AsyncIterable<Uint8Array> {
        /** Reads the bytes in the parts in which they arrive, as a loop over the input does. */
        chunks(options?: { signal?: AbortSignal }): AsyncIterableIterator<Uint8Array>;
        /** Reads lines of UTF-8, without their ends. */
        readLines(options?: { signal?: AbortSignal }): AsyncIterableIterator<string>;
    }

    /** The arguments of the script. */
    export const argv: readonly string[];
    /**
     * The environment variables that are allowed. Where `jsbridge run` asks on a terminal for another one, reading it
     * waits for the answer; one that is denied is `undefined`, as one that is not set. Only those that are allowed are
     * listed.
     */
    export const env: { readonly [name: string]: string | undefined };
    /** The operating system: `linux`, or `darwin`. */
    export const platform: string;
    /** The standard input. */
    export const stdin: Input;
    /** The standard output. */
    export const stdout: Output;
    /** The standard error output. */
    export const stderr: Output;
    /** Ends the process with a status from 0 to 255; without one, with `exitCode`, or 0. */
    export function exit(code?: number): never;

    /** All members of the module, and the exit code. */
    const process: Omit<typeof import("bridge:process"), "default"> & {
        /** The status with which the process ends when no work is left. */
        exitCode: number | undefined;
    };
    export default process;
}

/** Tests, in files that `jsbridge test` runs. */
declare module "bridge:test" {
    /**
     * A test: it fails if it throws, or if its promise is rejected or takes longer than `timeout` milliseconds (5000).
     */
    interface Test {
        /** Registers a test. */
        (name: string, run: () => unknown, timeout?: number): void;
        /** Registers a test that is not run. */
        skip(name: string, run: () => unknown, timeout?: number): void;
        /** Runs only the tests and suites that are marked so, among those of the file. */
        only(name: string, run: () => unknown, timeout?: number): void;
        /** Registers the name of a test that is not written yet. */
        todo(name: string): void;
    }

    /** A suite: the tests that its function registers. */
    interface Describe {
        /**
         * Registers a suite: calls the function, which registers the tests. It must not return a value or a promise.
         */
        (name: string, run: () => void): void;
        /** Registers a suite whose tests are not run. */
        skip(name: string, run: () => void): void;
        /** Runs only the tests and suites that are marked so, among those of the file. */
        only(name: string, run: () => void): void;
    }

    /** The matchers of a value. `Result` is a promise for the matchers of a promise's result or error. */
    interface Matchers<Result> {
        /** The same matchers, which expect the opposite. */
        readonly not: Matchers<Result>;
        /** Expects the same value, as by Object.is. */
        toBe(expected: unknown): Result;
        /** Expects the same content; members that are undefined are as members that are missing. */
        toEqual(expected: unknown): Result;
        /** Expects the same content, of the same classes. */
        toStrictEqual(expected: unknown): Result;
        /** Expects the members of an object, which may have more. */
        toMatchObject(expected: object): Result;
        /** Expects any value but `undefined`. */
        toBeDefined(): Result;
        /** Expects `undefined`. */
        toBeUndefined(): Result;
        /** Expects `null`. */
        toBeNull(): Result;
        /** Expects NaN. */
        toBeNaN(): Result;
        /** Expects a value that converts to true. */
        toBeTruthy(): Result;
        /** Expects a value that converts to false. */
        toBeFalsy(): Result;
        /** Expects an instance of a class, as by `instanceof`. */
        toBeInstanceOf(expected: Function): Result;
        /** Expects a greater number. */
        toBeGreaterThan(expected: number | bigint): Result;
        /** Expects a greater or equal number. */
        toBeGreaterThanOrEqual(expected: number | bigint): Result;
        /** Expects a smaller number. */
        toBeLessThan(expected: number | bigint): Result;
        /** Expects a smaller or equal number. */
        toBeLessThanOrEqual(expected: number | bigint): Result;
        /** Expects a number less than half a unit of the last decimal digit away; 2 digits by default. */
        toBeCloseTo(expected: number, digits?: number): Result;
        /** Expects a substring, or an item of an array or a Set. */
        toContain(expected: unknown): Result;
        /** Expects an item of an array or a Set with the same content. */
        toContainEqual(expected: unknown): Result;
        /** Expects a member `length` with this value. */
        toHaveLength(length: number): Result;
        /** Expects a string that contains a string or matches a pattern. Any other value is a `TypeError`. */
        toMatch(expected: string | RegExp): Result;
        /**
         * Expects an error: one whose message has a text, matches a pattern or is that of an error, or an instance of a
         * class.
         */
        toThrow(expected?: string | RegExp | Function | { message: string }): Result;
    }

    /** An expectation about a value. A matcher throws an `AssertionError` if the value does not match. */
    interface Expectation extends Matchers<void> {
        /** The same matchers, which expect the opposite. */
        readonly not: Expectation;
        /** Applies a matcher to the result of a promise. */
        readonly resolves: Matchers<Promise<void>>;
        /** Applies a matcher to the error of a promise. */
        readonly rejects: Matchers<Promise<void>>;
    }

    /** The function that registers tests. */
    export const test: Test;
    /** The function that registers suites. */
    export const describe: Describe;
    /** Adds a function that runs before the first test of the suite. If it fails, each test of the suite fails. */
    export function beforeAll(run: () => unknown): void;
    /** Adds a function that runs after the last test of the suite, even if that test failed. */
    export function afterAll(run: () => unknown): void;
    /** Adds a function that runs before each test of the suite, after those of outer suites. */
    export function beforeEach(run: () => unknown): void;
    /** Adds a function that runs after each test of the suite, before those of outer suites. */
    export function afterEach(run: () => unknown): void;
    /** Returns an expectation about a value. */
    export function expect(received: unknown): Expectation;
}
