import { Inject, Injectable } from '@nestjs/common';
import { isTenantId, type DbBackend, type TenantHealthResponse } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { columns, TenantData, type RowOf } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { Tenant } from '../../../identity/accounts/tenant.entity.js';
import { reasonOf } from '../../../kernel/sealing/sealed-column.js';
import { TenantDatabases, type TenantDatabase } from '../databases/tenant-databases.js';
import { IS_SEEN, tenantReachOf } from '../../current-tenant/tenant-reach.js';
import { TenantErrors } from '../../../identity/accounts/tenants.errors.js';
import { describeFailure } from './failures.js';
import { checkPostgresql } from './postgresql.js';

const TIME_LIMIT_MS = 3_000;

/**
 * Uses the database and says what of it was tried.
 *
 * @param deadline ends every connection that the check opened.
 * @throws Error of the driver, or of the system.
 */
export type DatabaseCheck = (database: TenantDatabase, deadline: AbortSignal) => Promise<string>;

/** No new tenant gets a MariaDB; settings of one may be there from before. */
const CHECKS: Record<DbBackend, DatabaseCheck | null> = { mariadb: null, postgresql: checkPostgresql };
const NO_DRIVER = 'There is no driver for MariaDB. Set db_config anew, for PostgreSQL, or remove it.';

const CHECKED = columns(Tenant, ['dbBackend', 'sealedDbConfig']);
type CheckedTenant = RowOf<typeof CHECKED>;

type Verdict = Pick<TenantHealthResponse, 'healthy' | 'message'>;

/** Whether the database of a tenant can be used. */
@Injectable()
export class TenantHealth {
  constructor(
    private readonly dataSource: DataSource,
    private readonly databases: TenantDatabases,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Holds no connection to our own database while it waits for the tenant's.
   *
   * @throws AppError 404 for a tenant that the caller does not see.
   */
  async check(caller: Caller, id: string): Promise<TenantHealthResponse> {
    const { db_backend, sealed_db_config } = await this.find(caller, id);
    // Its data is where this row was just read.
    if (!sealed_db_config) return { tenant_id: id, db_backend: 'postgresql', healthy: true, message: 'shared' };
    const database = this.open(id, sealed_db_config);
    const check = CHECKS[db_backend];
    if (typeof database === 'string') return { tenant_id: id, db_backend, healthy: false, message: database };
    if (!check) return { tenant_id: id, db_backend, healthy: false, message: NO_DRIVER };
    return { tenant_id: id, db_backend, ...(await tryOut(check, database)) };
  }

  private async find(caller: Caller, id: string): Promise<CheckedTenant> {
    const { home, isPlatform } = tenantReachOf(caller);
    if (!isTenantId(id)) throw TenantErrors.notFound();
    const [row] = await new TenantData(this.dataSource.manager, home).query<CheckedTenant>(
      `SELECT ${CHECKED} FROM tenants WHERE id = $2 AND ${IS_SEEN}`,
      [isPlatform, id],
    );
    if (!row) throw TenantErrors.notFound();
    return row;
  }

  /** Or why they cannot be read. */
  private open(tenantId: string, sealed: string): TenantDatabase | string {
    try {
      return this.databases.open(tenantId, sealed);
    } catch (error) {
      const reason = reasonOf(error);
      this.logger.error({ reason, tenant_id: tenantId }, 'the settings of a tenant database cannot be opened');
      return `The settings cannot be read. ${reason}`;
    }
  }
}

async function tryOut(check: DatabaseCheck, database: TenantDatabase): Promise<Verdict> {
  const deadline = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    return { healthy: true, message: await check(database, deadline) };
  } catch (error) {
    const message = deadline.aborted ? `There was no answer within ${TIME_LIMIT_MS / 1_000} seconds.` : describeFailure(error);
    return { healthy: false, message };
  }
}
