import type { DeployResponse, DeployStatus, NewInVersion } from '@platform/contracts';
import type { Narrowing } from '@platform/guards';

export interface DeployRow {
  deploy_id: string;
  app_id: string;
  number: number;
  version: string | null;
  changelog: string;
  commit_sha: string | null;
  status: DeployStatus;
  error_message: string;
  warnings: string[];
  waits_for: NewInVersion | null;
  failed_attempts: number;
  /** Of whoever asked for it. */
  narrowing: Narrowing | null;
  created_at: Date;
  validated_at: Date | null;
  held_at: Date | null;
  finished_at: Date | null;
  released_at: Date | null;
}

export const DEPLOY_COLUMNS = `deploy_id, app_id, number, version, changelog, commit_sha, status, error_message, warnings, failed_attempts,
  waits_for, narrowing, created_at, validated_at, held_at, finished_at, released_at`;

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
