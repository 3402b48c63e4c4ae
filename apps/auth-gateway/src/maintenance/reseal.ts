import type { Keyring } from '@platform/platform';
import type { DataSource } from 'typeorm';
import { FEATURE_SCHEMAS } from '../database.js';
import type { ResealReport } from '../kernel/sealing/sealed-column.js';

export type { ResealReport } from '../kernel/sealing/sealed-column.js';

/** Seals all values again that are not yet sealed with the first key. */
export async function resealAll(dataSource: DataSource, keyring: Keyring): Promise<ResealReport[]> {
  const reports: ResealReport[] = [];
  for (const sealed of FEATURE_SCHEMAS.flatMap(({ sealed = [] }) => sealed))
    reports.push(await sealed(keyring).reseal(dataSource));
  return reports;
}
