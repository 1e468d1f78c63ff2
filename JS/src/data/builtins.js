// The built-in functions that data_code needs as they are before any script runs.
export const NativeInt32Array = Int32Array, NativeFloat64Array = Float64Array, NativeBigInt64Array = BigInt64Array;
export const NativeNumber = Number;
// This function has a `call` property of its own (see engine/values.js).
export const substring = String.prototype.substring;
