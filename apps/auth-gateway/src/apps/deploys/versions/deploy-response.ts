import type { DeployResponse } from '@platform/contracts';
import { columns, type RowOf } from '@platform/persistence';
import { Deploy } from './deploy.entity.js';

export const DEPLOY_COLUMNS = columns(Deploy, [
  'deployId',
  'appId',
  'number',
  'version',
  'changelog',
  'commitSha',
  'status',
  'errorMessage',
  'warnings',
  'failedAttempts',
  'waitsFor',
  'narrowing',
  'createdAt',
  'validatedAt',
  'heldAt',
  'finishedAt',
  'releasedAt',
]);
export type DeployRow = RowOf<typeof DEPLOY_COLUMNS>;

export const isUnfinished = ({ finished_at: finishedAt }: DeployRow): boolean => finishedAt === null;

export const toDeployResponse = (row: DeployRow): DeployResponse => ({
  deploy_id: row.deploy_id,
  app_id: row.app_id,
  number: row.number,
  version: row.version,
  changelog: row.changelog,
  status: row.status,
  created_at: row.created_at,
  commit_sha: row.commit_sha,
  error_message: row.error_message,
  deployed_at: row.finished_at,
  warnings: row.warnings,
  waits_for: row.waits_for,
  failed_attempts: row.failed_attempts,
  steps: [
    { name: 'accepted', at: row.created_at },
    { name: 'validated', at: row.validated_at },
    { name: 'held', at: row.held_at },
    { name: 'served', at: row.status === 'success' && row.held_at ? row.finished_at : null },
    { name: 'released', at: row.released_at },
  ],
});
