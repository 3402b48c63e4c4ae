import { HeldLock } from '@platform/testing';
import type { BillingDatabase } from './billing-database.js';

/** Locks users like an account deletion: first the rows of the users, then their counters. */
export async function lockUsers(database: BillingDatabase, users: readonly string[]): Promise<HeldLock> {
  const lock = await HeldLock.acquire(database, 'SELECT 1 FROM users WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [
    users,
  ]);
  await lock.runStatement('SELECT 1 FROM usage_counters WHERE user_id = ANY ($1) FOR UPDATE', [users]);
  return lock;
}
