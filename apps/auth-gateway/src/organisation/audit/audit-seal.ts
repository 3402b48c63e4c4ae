import { safeEqual, type Keyring } from '@platform/platform';

const PURPOSE = 'audit-seal';

/**
 * What the gateway says of the chain of a tenant, under a key that the database does not have. Each seal names the one before it, so none
 * can go without a trace but the last ones; of these the anchor tells, which is kept elsewhere.
 */
export interface AuditSeal {
  tenant_id: string;
  /** 1 for the first. */
  number: number;
  /** How many entries it covers: all up to this link of the chain. */
  sequence: number;
  /** The hash of that link, in hex: it depends on every entry up to there. */
  hash: string;
  sealed_at: string;
  /** The MAC of the seal before; empty for the first. */
  previous: string;
  /** Up to this link, entries without MAC are those of versions that made none. */
  unkeyed_until: number;
  /** How many entries were not genuine when they were sealed, since the first seal. */
  rejected: number;
  /** More entries were there to be sealed at once. */
  is_partial: boolean;
  key_id: string;
  mac: string;
}

export const SEAL_COLUMNS = `tenant_id, number::float8 AS number, sequence::float8 AS sequence, encode(hash, 'hex') AS hash, sealed_at, previous,
  unkeyed_until::float8 AS unkeyed_until, rejected::float8 AS rejected, is_partial, key_id, mac`;

/** As `SEAL_COLUMNS` gives it. */
export type SealRow = Omit<AuditSeal, 'sealed_at'> & { sealed_at: Date };

export const toSeal = (row: SealRow): AuditSeal => ({ ...row, sealed_at: row.sealed_at.toISOString() });

const macOf = (keyring: Keyring, seal: Omit<AuditSeal, 'mac'>): string | null => {
  const { tenant_id, number, sequence, hash, sealed_at, previous, unkeyed_until, rejected, is_partial, key_id } = seal;
  const text = JSON.stringify([1, key_id, tenant_id, number, sequence, hash, sealed_at, previous, unkeyed_until, rejected, is_partial]);
  return keyring.mac(PURPOSE, text, key_id)?.toString('base64url') ?? null;
};

export function makeSeal(keyring: Keyring, content: Omit<AuditSeal, 'key_id' | 'mac'>): AuditSeal {
  const seal = { ...content, key_id: keyring.currentId };
  return { ...seal, mac: macOf(keyring, seal) as string };
}

export function sealAuthenticity(keyring: Keyring, seal: AuditSeal): 'genuine' | 'forged' | 'unknown_key' {
  const expected = macOf(keyring, seal);
  if (expected === null) return 'unknown_key';
  return safeEqual(seal.mac, expected) ? 'genuine' : 'forged';
}
