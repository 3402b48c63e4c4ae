import { safeEqual, type Keyring } from '@platform/platform';

const PURPOSE = 'audit-seal';

/**
 * Signed statement of the gateway about the chain of a tenant, with a key that the database does
 * not have. Each seal names the previous seal, so only the last seals can be removed without a
 * trace. The anchors outside of the database reveal that.
 */
export interface AuditSeal {
  tenant_id: string;
  /** 1 for the first seal of the tenant. */
  number: number;
  /** Last link of the chain that the seal covers, and so the number of covered entries. */
  sequence: number;
  /** Hash of that link, hexadecimal. It depends on all entries up to there. */
  hash: string;
  sealed_at: string;
  /** MAC of the previous seal; empty for the first. */
  previous: string;
  /**
   * Number of entries that were not genuine when they were sealed, counted since the first seal.
   */
  rejected: number;
  /** True if more entries were waiting than one seal can cover. */
  is_partial: boolean;
  key_id: string;
  mac: string;
}

export const SEAL_COLUMNS = `tenant_id, number::float8 AS number, sequence::float8 AS sequence, encode(hash, 'hex') AS hash, sealed_at, previous,
  rejected::float8 AS rejected, is_partial, key_id, mac`;

/** Row with the columns of `SEAL_COLUMNS`. */
export type SealRow = Omit<AuditSeal, 'sealed_at'> & { sealed_at: Date };

export const toSeal = (row: SealRow): AuditSeal => ({ ...row, sealed_at: row.sealed_at.toISOString() });

const macOf = (keyring: Keyring, seal: Omit<AuditSeal, 'mac'>): string | null => {
  const { tenant_id, number, sequence, hash, sealed_at, previous, rejected, is_partial, key_id } = seal;
  const text = JSON.stringify([
    1,
    key_id,
    tenant_id,
    number,
    sequence,
    hash,
    sealed_at,
    previous,
    rejected,
    is_partial,
  ]);
  return keyring.mac(PURPOSE, text, key_id)?.toString('base64url') ?? null;
};

export function createSeal(keyring: Keyring, content: Omit<AuditSeal, 'key_id' | 'mac'>): AuditSeal {
  const seal = { ...content, key_id: keyring.currentId };
  return { ...seal, mac: macOf(keyring, seal) as string };
}

export function checkSealAuthenticity(keyring: Keyring, seal: AuditSeal): 'genuine' | 'forged' | 'unknown_key' {
  const expected = macOf(keyring, seal);
  if (expected === null) return 'unknown_key';
  return safeEqual(seal.mac, expected) ? 'genuine' : 'forged';
}
