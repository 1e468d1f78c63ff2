// The globals of the tests: those that a runner sets, and those of harness.js.

/** The text of each bundle, by file name. */
declare var sources: { [file: string]: string };
/** Evaluates a source in the global scope and returns its value. */
declare function evaluate(source: string): any;
/** Globals of an independent implementation, where the runner has one. */
declare var otherEvents: any, otherData: any;

declare function test(name: string, body: () => unknown): void;
declare function testEvents(name: string, body: (globals: any) => unknown): void;
declare function testOwnEvents(name: string, body: (globals: any) => unknown): void;
declare function testData(name: string, body: (globals: any) => unknown): void;
declare function loadInternal(options?: any): any;
declare function loadEvents(): any;
declare function loadData(): any;
declare function makeRandom(seed: number): (bound: number) => number;
declare function drain(): Promise<void>;
declare const assert: {
    ok(value: unknown, message?: string): void;
    equal(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    matches(actual: any, pattern: RegExp, message?: string): void;
    throws(body: () => unknown, code?: string, message?: string): any;
    rejects(promise: unknown, code?: string, message?: string): Promise<any>;
};

// Members that are newer than the declarations of the compiler, and those that tests add.
interface ArrayBuffer {
    readonly detached: boolean;
    transfer(length?: number): ArrayBuffer;
    resize(length: number): void;
}
interface ArrayBufferConstructor { new(length: number, options?: { maxByteLength?: number }): ArrayBuffer }
interface ErrorConstructor { isError(value: unknown): boolean }
interface String { toWellFormed(): string }
interface BigInt { toJSON?: () => unknown }
interface PropertyDescriptor { __proto__?: null }
