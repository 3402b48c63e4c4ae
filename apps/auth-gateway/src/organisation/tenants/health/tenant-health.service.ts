import { Inject, Injectable } from '@nestjs/common';
import { isTenantId, type DbBackend, type TenantHealthResponse } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { columns, TenantData, type RowOf } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { Tenant } from '../../../identity/accounts/tenant.entity.js';
import { describeSealError } from '../../../kernel/sealing/sealed-column.js';
import { TenantDatabasesService, type TenantDatabase } from '../databases/tenant-databases.service.js';
import { IS_VISIBLE, getTenantReach } from '../../current-tenant/tenant-reach.js';
import { TenantErrors } from '../../../identity/accounts/tenants.errors.js';
import { describeFailure } from './database-failures.js';
import { checkPostgresql } from './postgresql-check.js';

const TIME_LIMIT_MS = 3_000;

/**
 * Connects to the database and describes the successful check.
 *
 * @param deadline closes every connection of the check when it aborts.
 * @throws Error of the driver or of the system.
 */
export type DatabaseCheck = (database: TenantDatabase, deadline: AbortSignal) => Promise<string>;

const CHECKS: Record<DbBackend, DatabaseCheck> = { postgresql: checkPostgresql };

const CHECKED = columns(Tenant, ['dbBackend', 'sealedDbConfig']);
type CheckedTenant = RowOf<typeof CHECKED>;

type Verdict = Pick<TenantHealthResponse, 'healthy' | 'message'>;

/** Checks the connection to tenants' databases. */
@Injectable()
export class TenantHealthService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly databases: TenantDatabasesService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Checks the connection to the database of a tenant. A tenant without its own database is
   * healthy, with the message `shared`. A failure is an answer, too: `healthy` is false and
   * `message` says why. Holds no connection to our own database while it waits for the tenant's,
   * for at most 3 seconds.
   *
   * @throws AppError 404 `tenant.not_found` for a tenant that the caller does not see.
   */
  async checkTenantHealth(caller: Caller, id: string): Promise<TenantHealthResponse> {
    const { db_backend, sealed_db_config } = await this.findTenant(caller, id);
    // The tenant's data is in our own database, which has just answered.
    if (!sealed_db_config) return { tenant_id: id, db_backend, healthy: true, message: 'shared' };
    const database = this.openSettings(id, sealed_db_config);
    if (typeof database === 'string') return { tenant_id: id, db_backend, healthy: false, message: database };
    return { tenant_id: id, db_backend, ...(await runCheck(CHECKS[db_backend], database)) };
  }

  private async findTenant(caller: Caller, id: string): Promise<CheckedTenant> {
    const { home, isPlatform } = getTenantReach(caller);
    if (!isTenantId(id)) throw TenantErrors.notFound();
    const [row] = await new TenantData(this.dataSource.manager, home).query<CheckedTenant>(
      `SELECT ${CHECKED} FROM tenants WHERE id = $2 AND ${IS_VISIBLE}`,
      [isPlatform, id],
    );
    if (!row) throw TenantErrors.notFound();
    return row;
  }

  /**
   * Decrypts the connection settings of a tenant. Returns a text if they cannot be read: the
   * reason.
   */
  private openSettings(tenantId: string, sealed: string): TenantDatabase | string {
    try {
      return this.databases.openSettings(tenantId, sealed);
    } catch (error) {
      const reason = describeSealError(error);
      this.logger.error(
        { reason, tenant_id: tenantId },
        'the connection settings of a tenant database cannot be decrypted',
      );
      return `The connection settings cannot be read. ${reason}`;
    }
  }
}

async function runCheck(check: DatabaseCheck, database: TenantDatabase): Promise<Verdict> {
  const deadline = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    return { healthy: true, message: await check(database, deadline) };
  } catch (error) {
    const message = deadline.aborted
      ? `The database did not answer within ${TIME_LIMIT_MS / 1_000} seconds.`
      : describeFailure(error);
    return { healthy: false, message };
  }
}
