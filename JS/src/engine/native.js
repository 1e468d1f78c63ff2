// The native functions of the engine's context, which Swift installs before the scripts run.
export const { native } = host;
// `callNative` calls a closure of the host. It returns `failed` if the closure fails, and `takeFailure` then returns the
// error.
export const { call: callNative, takeFailure, now: nativeNow } = native;
