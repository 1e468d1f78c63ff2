// The built-in objects that the bundles of the bridge which load later need as they are before any script runs.
import { ObjectGetPrototypeOf } from "../engine/primordials.js";

// The prototype of the prototypes of all asynchronous iterators.
export const AsyncIteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf((async function* () {}).prototype));
// Engines without `using` lack these.
export const { asyncDispose: SymbolAsyncDispose, dispose: SymbolDispose } = /** @type {any} */ (Symbol);
