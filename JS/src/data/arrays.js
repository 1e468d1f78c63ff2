// The typed arrays that the data API creates.
export const NativeInt32Array = Int32Array, NativeFloat64Array = Float64Array, NativeBigInt64Array = BigInt64Array;
