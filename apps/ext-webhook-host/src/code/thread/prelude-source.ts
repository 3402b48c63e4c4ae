/** Set by the build: `prelude.ts` as a script whose value is its default export. */
declare const SANDBOX_PRELUDE: string;

export const PRELUDE = SANDBOX_PRELUDE;
/** How its lines are named in stack traces, which leave them out. */
export const PRELUDE_FILE = 'platform:prelude';
