import type { Keyring } from '@platform/platform';
import type { DataSource } from 'typeorm';
import { FEATURE_SCHEMAS } from '../database.js';
import type { ResealReport } from '../kernel/sealing/sealed-column.js';

export type { ResealReport } from '../kernel/sealing/sealed-column.js';

/** Seals anew all that the gateway keeps sealed, as far as the first key does not seal it yet, each for its row. */
export async function resealAll(dataSource: DataSource, keyring: Keyring): Promise<ResealReport[]> {
  const reports: ResealReport[] = [];
  for (const sealed of FEATURE_SCHEMAS.flatMap(({ sealed = [] }) => sealed)) reports.push(await sealed(keyring).reseal(dataSource));
  return reports;
}
