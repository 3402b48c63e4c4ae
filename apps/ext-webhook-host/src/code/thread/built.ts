/** Set by the build. `prelude.ts` as a script whose value is its default export. */
declare const SANDBOX_PRELUDE: string;
/** The size of the engine's memory at the start, in pages of 64 KiB. */
declare const SANDBOX_FIRST_PAGES: number;

export const PRELUDE = SANDBOX_PRELUDE;
/** How its lines are named in stack traces, which leave them out. */
export const PRELUDE_FILE = 'platform:prelude';
/** For the engine, its stack and the heap of an app of ordinary size; grown when it is needed. */
export const FIRST_PAGES = SANDBOX_FIRST_PAGES;
