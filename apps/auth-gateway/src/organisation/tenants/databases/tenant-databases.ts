import type { TenantDatabaseConfig } from '@platform/contracts';
import type { Keyring } from '@platform/platform';
import { SealedColumn } from '../../../kernel/sealing/sealed-column.js';

const DEFAULT_PORT = 5432;

/** Connection settings of a tenant's own database. */
export interface TenantDatabase {
  host: string;
  port: number;
  database: string;
  username: string;
  password: string;
}

/** Column with the sealed connection settings. */
export const sealedTenantDatabases = (keyring: Keyring): SealedColumn =>
  new SealedColumn(keyring, {
    what: 'settings of a tenant database',
    purpose: 'tenant-database',
    table: 'tenants',
    id: 'id',
    column: 'sealed_db_config',
  });

/**
 * Encrypts and decrypts connection settings. Each value is bound to its tenant, so neither the
 * database nor a dump reveals the settings.
 */
export class TenantDatabases {
  private readonly column: SealedColumn;

  constructor(keyring: Keyring) {
    this.column = sealedTenantDatabases(keyring);
  }

  seal(tenantId: string, { host, port, database, username, password }: TenantDatabaseConfig): string {
    const complete: TenantDatabase = { host, port: port ?? DEFAULT_PORT, database, username, password };
    return this.column.seal(tenantId, JSON.stringify(complete));
  }

  /**
   * @throws AppError 503 `secret_key.missing` if the key is missing; Error if the value was changed
   * or belongs to another tenant.
   */
  open(tenantId: string, sealed: string): TenantDatabase {
    return JSON.parse(this.column.open(tenantId, sealed)) as TenantDatabase;
  }
}
