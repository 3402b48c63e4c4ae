import { safeEqual, type Keyring } from '@platform/platform';
import canonicalize from 'canonicalize';
import type { DataSource } from 'typeorm';

const ENTRY_PURPOSE = 'audit-entry';

/**
 * Stored fields of an audit entry. The database adds the time of the entry; the hash chain covers
 * it.
 */
export interface EntryContent {
  id: string;
  tenant_id: string;
  actor_type: string;
  actor_id: string;
  on_behalf_of: string | null;
  action: string;
  target_type: string;
  target_id: string;
  before_state: unknown;
  after_state: unknown;
  metadata: unknown;
  ip_address: string | null;
  user_agent: string | null;
  request_id: string | null;
}

const FIELDS = [
  'id',
  'tenant_id',
  'actor_type',
  'actor_id',
  'on_behalf_of',
  'action',
  'target_type',
  'target_id',
  'before_state',
  'after_state',
  'metadata',
  'ip_address',
  'user_agent',
  'request_id',
] as const satisfies (keyof EntryContent)[];

const keyrings = new WeakMap<DataSource, Keyring | null>();

/**
 * Sets the keys for the MACs of audit entries that are written through this data source. The MAC of
 * an entry is a keyed checksum. Null: entries get no MAC, and `npm run audit:verify` reports them.
 */
export function setAuditKeyring(dataSource: DataSource, keyring: Keyring | null): void {
  keyrings.set(dataSource, keyring);
}

/**
 * Returns the keys that `setAuditKeyring` set for the data source; null if audit entries get no
 * MAC.
 *
 * @throws Error if `setAuditKeyring` was not called for the data source, so that no entry lacks a
 * MAC by mistake.
 */
export function getAuditKeyring(dataSource: DataSource): Keyring | null {
  const keyring = keyrings.get(dataSource);
  if (keyring === undefined) throw new Error('The audit log has no keys: call setAuditKeyring first.');
  return keyring;
}

/**
 * Computes the MAC of an audit entry: a keyed checksum, which proves that the gateway wrote the
 * entry, because write access to the database is not enough to compute it. Null if the keyring does
 * not have the key `keyId`.
 */
export const computeEntryMac = (keyring: Keyring, entry: EntryContent, keyId = keyring.currentId): string | null => {
  // The fields are in the order of FIELDS and in canonical JSON (RFC 8785), because jsonb does not
  // keep the order of keys.
  const text = canonicalize([1, keyId, ...FIELDS.map((field) => entry[field] ?? null)]) as string;
  return keyring.mac(ENTRY_PURPOSE, text, keyId)?.toString('base64url') ?? null;
};

export type Authenticity = 'genuine' | 'forged' | 'unknown_key';

/**
 * Checks the MAC of a stored audit entry, a checksum that only the gateway's keys can make.
 *
 * @returns `genuine` if the MAC matches; `unknown_key` if the keyring does not have the key of the
 * entry; `forged` otherwise, also for an entry without a MAC or a key id.
 */
export function checkAuthenticity(
  keyring: Keyring,
  entry: EntryContent & { key_id: string | null; mac: string | null },
): Authenticity {
  const { key_id: keyId, mac } = entry;
  if (mac === null || keyId === null) return 'forged';
  const expected = computeEntryMac(keyring, entry, keyId);
  if (expected === null) return 'unknown_key';
  return safeEqual(mac, expected) ? 'genuine' : 'forged';
}
