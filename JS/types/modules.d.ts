/** The built-in modules, for scripts that are ES modules, or that use `import()`. */

/** The functions of the global `bridge`, which need no `this`. */
declare module "bridge:core" {
    /** The function {@link Bridge.registerHandler}. */
    export const registerHandler: Bridge["registerHandler"];
    /** The function {@link Bridge.callHandler}. */
    export const callHandler: Bridge["callHandler"];
    /** The function {@link Bridge.callHandlerSync}. */
    export const callHandlerSync: Bridge["callHandlerSync"];
    /** The function {@link Bridge.notify}. */
    export const notify: Bridge["notify"];
    /** The function {@link Bridge.removeHandler}. */
    export const removeHandler: Bridge["removeHandler"];
    /** The function {@link Bridge.openStream}. */
    export const openStream: Bridge["openStream"];
    /** The function {@link Bridge.on}. */
    export const on: Bridge["on"];
    /** The function {@link Bridge.once}. */
    export const once: Bridge["once"];
    /** The function {@link Bridge.off}. */
    export const off: Bridge["off"];
    /** The function {@link Bridge.emit}. */
    export const emit: Bridge["emit"];
    /** The function {@link Bridge.describe}. */
    export const describe: Bridge["describe"];
    /** The function {@link Bridge.pipeline}. */
    export const pipeline: Bridge["pipeline"];
    /** The function {@link Bridge.module}. */
    export const module: Bridge["module"];
    /** The function {@link Bridge.reference}. */
    export const reference: Bridge["reference"];
    /** The function {@link Bridge.callReference}. */
    export const callReference: Bridge["callReference"];
    /** The class {@link BridgeError}. */
    const BridgeErrorClass: typeof BridgeError;
    export { BridgeErrorClass as BridgeError };
    export default bridge;
}

/** The data API of `bridge`, for scripts of a bridge that was created with data. */
declare module "bridge:data" {
    /** The function {@link Bridge.store}. */
    export const store: Bridge["store"];
    /** The function {@link Bridge.registerDataSource}. */
    export const registerDataSource: Bridge["registerDataSource"];
    /** The function {@link Bridge.dataSource}. */
    export const dataSource: Bridge["dataSource"];
    /** The function {@link Bridge.order}. */
    export const order: Bridge["order"];
    /** The function {@link Bridge.difference}. */
    export const difference: Bridge["difference"];
    export default bridge;
}

/** Collection views, for scripts of a bridge that was created with views. */
declare module "bridge:views" {
    /** The function {@link Bridge.collectionView}. */
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
     * Adds a function that is called when a reload has removed the last import of the module, after those of `dispose`.
     * The module is evaluated again if it is imported again.
     */
    prune(callback: (data: any) => void): void;
    /** Does nothing: nothing sends events. */
    on(event: string, callback: (payload: any) => void): void;
    /** Does nothing: nothing sends events. */
    off(event: string, callback: (payload: any) => void): void;
    /** Does nothing: nothing receives events. */
    send(event: string, data?: any): void;
}
