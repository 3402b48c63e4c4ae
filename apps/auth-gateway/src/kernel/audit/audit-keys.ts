import { safeEqual, type Keyring } from '@platform/platform';
import canonicalize from 'canonicalize';
import type { DataSource } from 'typeorm';

const ENTRY_PURPOSE = 'audit-entry';

/** An entry as it is stored, without what the database adds: its time, which the chain covers. */
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

/** Says with which keys what is written through this data source is authenticated. Null: with none, which `npm run audit:verify` tells of. */
export function keyAudit(dataSource: DataSource, keyring: Keyring | null): void {
  keyrings.set(dataSource, keyring);
}

/** @throws Error when nobody said `keyAudit`, so that no entry is without MAC by mistake. */
export function auditKeyring(dataSource: DataSource): Keyring | null {
  const keyring = keyrings.get(dataSource);
  if (keyring === undefined) throw new Error('The audit log has no keys: call keyAudit first.');
  return keyring;
}

/** Proves that the gateway wrote this entry: nobody who can write to the database alone can make it. */
export const macOfEntry = (keyring: Keyring, entry: EntryContent, keyId = keyring.currentId): string | null => {
  // In the order of FIELDS, and every JSON value in its canonical form (RFC 8785), since jsonb keeps no order of keys.
  const text = canonicalize([1, keyId, ...FIELDS.map((field) => entry[field] ?? null)]) as string;
  return keyring.mac(ENTRY_PURPOSE, text, keyId)?.toString('base64url') ?? null;
};

export type Authenticity = 'genuine' | 'forged' | 'unkeyed' | 'unknown_key';

/** Whether the gateway wrote an entry as it is stored. */
export function authenticityOf(keyring: Keyring, entry: EntryContent & { key_id: string | null; mac: string | null }): Authenticity {
  const { key_id: keyId, mac } = entry;
  if (mac === null && keyId === null) return 'unkeyed';
  if (mac === null || keyId === null) return 'forged';
  const expected = macOfEntry(keyring, entry, keyId);
  if (expected === null) return 'unknown_key';
  return safeEqual(mac, expected) ? 'genuine' : 'forged';
}
