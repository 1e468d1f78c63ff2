// The page's native side, for dialects that call it directly. The text bundle sets the functions.
/**
 * @type {{
 *     post(text: string): void,
 *     load(url: string): void,
 *     prompt(text: string | undefined): string | null,
 *     callMethod(name: string, text: string): string,
 * }}
 */
export const nativeSide = /** @type {any} */ ({
    __proto__: null, post: undefined, load: undefined, prompt: undefined, callMethod: undefined,
});
