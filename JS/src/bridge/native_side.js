// The page's native side, for dialects that call it directly. The text bundle sets the functions.
export const nativeSide = { __proto__: null, post: undefined, load: undefined, prompt: undefined, callMethod: undefined };
