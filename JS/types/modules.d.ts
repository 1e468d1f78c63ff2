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
