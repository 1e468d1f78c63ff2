// The built-in objects that the bundles of the bridge need as they are before any script runs.
import { ObjectGetPrototypeOf } from "../engine/primordials.js";

// The prototype of the prototypes of all asynchronous iterators.
export const AsyncIteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf((async function* () {}).prototype));
// The prototype of the prototypes of all generators that are not asynchronous.
export const GeneratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf((function* () {})()));
// Engines without `using` lack these.
export const { asyncDispose: SymbolAsyncDispose, dispose: SymbolDispose } = /** @type {any} */ (Symbol);
