import type { DbBackend, TenantDatabaseConfig } from '@platform/contracts';
import type { Keyring } from '@platform/platform';

const PURPOSE = 'tenant-database';
const DEFAULT_PORTS: Record<DbBackend, number> = { mariadb: 3306, postgresql: 5432 };

/** How to reach the database of a tenant. */
export interface TenantDatabase {
  host: string;
  port: number;
  database: string;
  username: string;
  password: string;
}

/** Keeps the settings of tenants' databases encrypted: neither the database nor a dump of it shows them. */
export class TenantDatabases {
  constructor(private readonly keyring: Keyring) {}

  seal(backend: DbBackend, { host, port, database, username, password }: TenantDatabaseConfig): string {
    const complete: TenantDatabase = { host, port: port ?? DEFAULT_PORTS[backend], database, username, password };
    return this.keyring.seal(PURPOSE, JSON.stringify(complete));
  }

  /** @throws Error when the key that sealed it is gone. */
  open(sealed: string): TenantDatabase {
    return JSON.parse(this.keyring.open(PURPOSE, sealed)) as TenantDatabase;
  }
}
