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

/** Describes the column with the encrypted connection settings. */
export const sealedTenantDatabases = (keyring: Keyring): SealedColumn =>
  new SealedColumn(keyring, {
    what: 'settings of a tenant database',
    purpose: 'tenant-database',
    table: 'tenants',
    id: 'id',
    column: 'sealed_db_config',
  });

/**
 * Encrypts and decrypts the connection settings of tenants' own databases, so that neither our
 * database nor a dump of it reveals them. Each value can be decrypted only for its tenant.
 */
export class TenantDatabasesService {
  private readonly column: SealedColumn;

  constructor(keyring: Keyring) {
    this.column = sealedTenantDatabases(keyring);
  }

  sealSettings(tenantId: string, { host, port, database, username, password }: TenantDatabaseConfig): string {
    const complete: TenantDatabase = { host, port: port ?? DEFAULT_PORT, database, username, password };
    return this.column.seal(tenantId, JSON.stringify(complete));
  }

  /**
   * Decrypts the connection settings of a tenant.
   *
   * @throws AppError 503 `secret_key.missing` if the key that encrypted them is not in
   * `SECRET_KEYS`; Error if the value was changed or belongs to another tenant.
   */
  openSettings(tenantId: string, sealed: string): TenantDatabase {
    return JSON.parse(this.column.open(tenantId, sealed)) as TenantDatabase;
  }
}
