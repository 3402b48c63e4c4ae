import type { Keyring } from '@platform/platform';
import type { DataSource } from 'typeorm';
import { sealedTenantDatabases } from '../organisation/tenants/databases/tenant-databases.js';
import { sealedSigningKeys } from '../identity/tokens/signing-keys.js';
import type { ResealReport } from '../kernel/sealing/sealed-column.js';

export type { ResealReport } from '../kernel/sealing/sealed-column.js';

/** Seals anew all that the gateway keeps sealed, as far as the first key does not seal it yet, each for its row. */
export async function resealAll(dataSource: DataSource, keyring: Keyring): Promise<ResealReport[]> {
  const reports: ResealReport[] = [];
  for (const column of [sealedSigningKeys(keyring), sealedTenantDatabases(keyring)]) reports.push(await column.reseal(dataSource));
  return reports;
}
