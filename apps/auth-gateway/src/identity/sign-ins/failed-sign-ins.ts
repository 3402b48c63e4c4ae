import { DEFAULT_TENANT } from '@platform/contracts';
import { columns, queryPrepared } from '@platform/persistence';
import { AppError, currentContext } from '@platform/platform';
import type { DataSource } from 'typeorm';
import type { Client } from '../sessions/client.js';
import { SignInRecord } from './sign-in-record.entity.js';

/** Failed login. */
export interface FailedSignIn {
  tenantId: string;
  /** Null: the account does not exist. */
  userId: string | null;
  /** Reason, such as `wrong_password`, or the error code of the answer. */
  reason: string;
  client: Pick<Client, 'surface' | 'ipAddress' | 'userAgent'>;
}

/** Reason of a failed login to a tenant that does not exist. */
export const UNKNOWN_TENANT = 'unknown_tenant';

/** Additional columns that only the caller has. */
interface Extra {
  /** SQL expressions by column. */
  columns: Record<string, string>;
  /** FROM clause for these expressions. */
  from: string;
}

const COLUMNS = columns(SignInRecord, [
  'tenantId',
  'userId',
  'outcome',
  'how',
  'surface',
  'ipAddress',
  'userAgent',
  'requestId',
]);
/** In the order of the columns, with the parameters of `toFailureValues`. */
const VALUES = `t.id, $2, 'failed', CASE WHEN t.id = $1 THEN $3 ELSE '${UNKNOWN_TENANT}' END, $4, $5, $6, $7`;

/**
 * Makes the SQL that records a failed login for the audit log, as a statement or a part of one. Its
 * parameters begin with `toFailureValues`; for `toFailureValues(null)` it records nothing. It takes
 * no locks of other transactions; see `SignInAuditWorker`. Failures for an unknown tenant are
 * recorded in the platform's own tenant, so that they cost the same and leave the same traces.
 *
 * @param columns SQL expressions for further columns, with the FROM clause that they need.
 */
export const failureSql = ({ columns = {}, from = '' }: Partial<Extra> = {}): string => `
  INSERT INTO sign_in_records (${[COLUMNS, ...Object.keys(columns)].join(', ')})
  SELECT ${[VALUES, ...Object.values(columns)].join(', ')}
  FROM tenants t ${from} WHERE $1 IS NOT NULL AND t.id = coalesce((SELECT id FROM tenants WHERE id = $1), '${DEFAULT_TENANT}')`;

export const toFailureValues = (failed: FailedSignIn | null): (string | null)[] => [
  failed?.tenantId ?? null,
  failed?.userId ?? null,
  failed?.reason ?? null,
  failed?.client.surface ?? null,
  failed?.client.ipAddress ?? null,
  failed?.client.userAgent ?? null,
  currentContext()?.requestId ?? null,
];

/**
 * Runs a check of a person who has proved their identity. If it throws an AppError, records a
 * failed login for the audit log, with the code of the error as the reason.
 *
 * @throws the error of the check.
 */
export async function checkSignIn(
  dataSource: DataSource,
  failed: Omit<FailedSignIn, 'reason'>,
  check: () => void,
): Promise<void> {
  try {
    check();
  } catch (error) {
    if (error instanceof AppError)
      await queryPrepared(dataSource, failureSql(), toFailureValues({ ...failed, reason: error.code }));
    throw error;
  }
}
