import type { DeployStatus } from '@platform/contracts';

/** States of a deploy in progress. */
export const UNFINISHED = ['pending', 'validating', 'syncing'] as const satisfies DeployStatus[];

/** SQL condition on the column `status` for `UNFINISHED`. */
export const IS_UNFINISHED = `status IN (${UNFINISHED.map((status) => `'${status}'`).join(', ')})`;
