import { DEFAULT_TENANT } from '@platform/contracts';
import { columns, queryPrepared } from '@platform/persistence';
import { AppError, currentContext } from '@platform/platform';
import type { DataSource } from 'typeorm';
import type { Client } from '../sessions/client.js';
import { SignInRecord } from './sign-in-record.entity.js';

/** Somebody who did not sign in. */
export interface FailedSignIn {
  tenantId: string;
  /** Null: of an account that there is not. */
  userId: string | null;
  /** Such as `wrong_password`, or the code of the answer. */
  why: string;
  client: Pick<Client, 'surface' | 'ipAddress' | 'userAgent'>;
}

/** Why nobody signs in to a tenant that there is not. */
export const UNKNOWN_TENANT = 'unknown_tenant';

/** Columns that only the caller has. */
interface Extra {
  /** By column, what is told. */
  columns: Record<string, string>;
  /** What that is read from. */
  from: string;
}

const COLUMNS = columns(SignInRecord, ['tenantId', 'userId', 'outcome', 'how', 'surface', 'ipAddress', 'userAgent', 'requestId']);
/** In the order of the columns; parameters as `failureValues` gives them. */
const VALUES = `t.id, $2, 'failed', CASE WHEN t.id = $1 THEN $3 ELSE '${UNKNOWN_TENANT}' END, $4, $5, $6, $7`;

/**
 * The statement, or the part of one, that has the audit log tell of a failure: its parameters begin with `failureValues`. It takes no lock of
 * others; see `SignInAudit`. Of a tenant that there is not the platform's own log tells, so that it costs as much and leaves as much behind.
 */
export const insertFailure = ({ columns = {}, from = '' }: Partial<Extra> = {}): string => `
  INSERT INTO sign_in_records (${[COLUMNS, ...Object.keys(columns)].join(', ')})
  SELECT ${[VALUES, ...Object.values(columns)].join(', ')}
  FROM tenants t ${from} WHERE $1 IS NOT NULL AND t.id = coalesce((SELECT id FROM tenants WHERE id = $1), '${DEFAULT_TENANT}')`;

export const failureValues = (failed: FailedSignIn | null): (string | null)[] => [
  failed?.tenantId ?? null,
  failed?.userId ?? null,
  failed?.why ?? null,
  failed?.client.surface ?? null,
  failed?.client.ipAddress ?? null,
  failed?.client.userAgent ?? null,
  currentContext()?.requestId ?? null,
];

/** Lets a check of who has proved who they are pass or fail, and has the audit log tell of it when it fails. */
export async function checkSignIn(dataSource: DataSource, failed: Omit<FailedSignIn, 'why'>, check: () => void): Promise<void> {
  try {
    check();
  } catch (error) {
    if (error instanceof AppError) await queryPrepared(dataSource, insertFailure(), failureValues({ ...failed, why: error.code }));
    throw error;
  }
}
