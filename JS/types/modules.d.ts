/** The built-in modules, for scripts that are ES modules, or that use `import()`. */

/** The functions of the global `bridge`, which need no `this`. */
declare module "bridge:core" {
    export const registerHandler: Bridge["registerHandler"];
    export const callHandler: Bridge["callHandler"];
    export const callHandlerSync: Bridge["callHandlerSync"];
    export const notify: Bridge["notify"];
    export const removeHandler: Bridge["removeHandler"];
    export const openStream: Bridge["openStream"];
    export const on: Bridge["on"];
    export const once: Bridge["once"];
    export const off: Bridge["off"];
    export const emit: Bridge["emit"];
    export const describe: Bridge["describe"];
    export const pipeline: Bridge["pipeline"];
    export const module: Bridge["module"];
    export const reference: Bridge["reference"];
    export const callReference: Bridge["callReference"];
    const BridgeErrorClass: typeof BridgeError;
    export { BridgeErrorClass as BridgeError };
    export default bridge;
}

/** The data API of `bridge`, for scripts of a bridge that was created with data. */
declare module "bridge:data" {
    export const store: Bridge["store"];
    export const registerDataSource: Bridge["registerDataSource"];
    export const dataSource: Bridge["dataSource"];
    export const order: Bridge["order"];
    export const difference: Bridge["difference"];
    export default bridge;
}

/** Collection views, for scripts of a bridge that was created with views. */
declare module "bridge:views" {
    export const collectionView: Bridge["collectionView"];
    export default bridge;
}

/**
 * The handlers of a group, as they are registered at the first import: `import { find } from "bridge:handlers/people"`
 * is `bridge.module("people").find`. The default export is the group itself.
 */
declare module "bridge:handlers/*";

/** The members of `import.meta`. */
interface ImportMeta {
    /** The URL of the module. */
    url: string;
    /** True for the module that is the script of the run. */
    main: boolean;
    /** Returns the URL of a specifier. */
    resolve(specifier: string): string;
    /** The reloads of the module; undefined unless modules are watched. */
    readonly hot?: HotModule;
}

/** The reloads of a module, with the names of Vite. */
interface HotModule {
    /** An object that remains over all versions of the module. */
    readonly data: any;
    /**
     * Makes the module take its own changes: modules that import it are not loaded again, and keep its old exports. The
     * function is called after the new version is evaluated.
     */
    accept(callback?: (module: any) => void): void;
    /** Adds a function that is called before a new version is evaluated, or when the last import was removed. */
    dispose(callback: (data: any) => void): void;
    /**
     * Loads the modules again that import this one, as if it accepted no changes. It remains as it is. A module that no
     * other one imports stays alone.
     */
    invalidate(message?: string): void;
    /** Does nothing. */
    decline(): void;
    /**
     * Adds a function that is called when a reload has removed the last import of the module, after those of `dispose`. The
     * module is evaluated again if it is imported again.
     */
    prune(callback: (data: any) => void): void;
    /** Does nothing: nothing sends events. */
    on(event: string, callback: (payload: any) => void): void;
    /** Does nothing: nothing sends events. */
    off(event: string, callback: (payload: any) => void): void;
    /** Does nothing: nothing receives events. */
    send(event: string, data?: any): void;
}
