import type { DeployStatus } from '@platform/contracts';

/** The states of a deploy that is under way. */
export const UNFINISHED = ['pending', 'validating', 'syncing'] as const satisfies DeployStatus[];

/** The same in SQL, about the column `status`. */
export const IS_UNFINISHED = `status IN (${UNFINISHED.map((status) => `'${status}'`).join(', ')})`;
