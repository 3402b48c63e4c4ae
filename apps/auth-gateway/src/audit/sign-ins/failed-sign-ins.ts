import { queryPrepared } from '@platform/persistence';
import { AppError, currentContext } from '@platform/platform';
import type { DataSource } from 'typeorm';
import type { Client } from '../../sessions/client.js';

/** Somebody who did not sign in. */
export interface FailedSignIn {
  tenantId: string;
  /** Null: of an account that there is not. */
  userId: string | null;
  /** Such as `wrong_password`, or the code of the answer. */
  why: string;
  client: Pick<Client, 'surface' | 'ipAddress' | 'userAgent'>;
}

/** The columns of `sign_in_records` that both writers fill; the values follow in the same order. */
export const FAILURE_COLUMNS = 'tenant_id, user_id, outcome, how, surface, ip_address, user_agent, request_id';

export const failureValues = (failed: FailedSignIn | null): (string | null)[] => [
  failed?.tenantId ?? null,
  failed?.userId ?? null,
  failed?.why ?? null,
  failed?.client.surface ?? null,
  failed?.client.ipAddress ?? null,
  failed?.client.userAgent ?? null,
  currentContext()?.requestId ?? null,
];

/** Has the audit log tell of it, if there is such a tenant. It takes no lock of others; see `SignInAudit`. */
async function recordFailedSignIn(dataSource: DataSource, failed: FailedSignIn): Promise<void> {
  await queryPrepared(
    dataSource,
    `INSERT INTO sign_in_records (${FAILURE_COLUMNS}) SELECT id, $2, 'failed', $3, $4, $5, $6, $7 FROM tenants WHERE id = $1`,
    failureValues(failed),
  );
}

/** Lets a check of who has proved who they are pass or fail, and has the audit log tell of it when it fails. */
export async function checkSignIn(dataSource: DataSource, failed: Omit<FailedSignIn, 'why'>, check: () => void): Promise<void> {
  try {
    check();
  } catch (error) {
    if (error instanceof AppError) await recordFailedSignIn(dataSource, { ...failed, why: error.code });
    throw error;
  }
}
