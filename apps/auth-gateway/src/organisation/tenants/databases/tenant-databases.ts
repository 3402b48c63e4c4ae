import type { TenantDatabaseConfig } from '@platform/contracts';
import type { Keyring } from '@platform/platform';
import { SealedColumn } from '../../../kernel/sealing/sealed-column.js';

const DEFAULT_PORT = 5432;

/** How to reach the database of a tenant. */
export interface TenantDatabase {
  host: string;
  port: number;
  database: string;
  username: string;
  password: string;
}

/** The column in which they are kept. */
export const sealedTenantDatabases = (keyring: Keyring): SealedColumn =>
  new SealedColumn(keyring, {
    what: 'settings of a tenant database',
    purpose: 'tenant-database',
    table: 'tenants',
    id: 'id',
    column: 'sealed_db_config',
  });

/** Keeps the settings of tenants' databases encrypted, each for its tenant: neither the database nor a dump of it shows them. */
export class TenantDatabases {
  private readonly column: SealedColumn;

  constructor(keyring: Keyring) {
    this.column = sealedTenantDatabases(keyring);
  }

  seal(tenantId: string, { host, port, database, username, password }: TenantDatabaseConfig): string {
    const complete: TenantDatabase = { host, port: port ?? DEFAULT_PORT, database, username, password };
    return this.column.seal(tenantId, JSON.stringify(complete));
  }

  /** @throws AppError 503 `secret_key.missing` when the key that sealed it is gone; Error when it is another tenant's, or was changed. */
  open(tenantId: string, sealed: string): TenantDatabase {
    return JSON.parse(this.column.open(tenantId, sealed)) as TenantDatabase;
  }
}
