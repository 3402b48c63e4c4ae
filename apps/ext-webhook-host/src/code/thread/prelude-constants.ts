/** Set by the build: `prelude.ts` as a script that evaluates to its default export. */
declare const SANDBOX_PRELUDE: string;
/** Set by the build: initial memory of the engine, in pages of 64 KiB. */
declare const SANDBOX_FIRST_PAGES: number;

export const PRELUDE = SANDBOX_PRELUDE;
/** File name of the prelude in stack traces, which leave out its lines. */
export const PRELUDE_FILE = 'platform:prelude';
/**
 * Room for the engine, its stack and the heap of an app of ordinary size. Memory grows when needed.
 */
export const FIRST_PAGES = SANDBOX_FIRST_PAGES;
