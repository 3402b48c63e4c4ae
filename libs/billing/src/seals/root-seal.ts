import { safeEqual, type Keyring } from '@platform/platform';
import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Row } from '@platform/persistence';
import type { WalletSeal } from './wallet-seal.entity.js';

const PURPOSE = 'ledger-root';
const SEALS_PAGE = 2_000;

/** Sealed root, as it is logged. */
export interface RootSeal {
  number: number;
  seals: number;
  entries: number;
  sealed_at: string;
  /** In hex. */
  hash: string;
  previous: string;
  key_id: string;
  mac: string;
}

const macOf = (keyring: Keyring, root: Omit<RootSeal, 'mac'>): string | null => {
  const { number, seals, entries, sealed_at, hash, previous, key_id } = root;
  const text = JSON.stringify([1, key_id, number, seals, entries, sealed_at, hash, previous]);
  return keyring.mac(PURPOSE, text, key_id)?.toString('base64url') ?? null;
};

export function sealRoot(keyring: Keyring, content: Omit<RootSeal, 'key_id' | 'mac'>): RootSeal {
  const root = { ...content, key_id: keyring.currentId };
  return { ...root, mac: macOf(keyring, root) as string };
}

export function checkRootAuthenticity(keyring: Keyring, root: RootSeal): 'genuine' | 'forged' | 'unknown_key' {
  const expected = macOf(keyring, root);
  if (expected === null) return 'unknown_key';
  return safeEqual(root.mac, expected) ? 'genuine' : 'forged';
}

/**
 * Computes the hash of a root from its current seals, in the order of their wallets, and counts
 * them. A root is the set of seals of one run of `LedgerSealer`.
 */
export async function hashRoot(em: EntityManager, number: string): Promise<{ hash: Buffer; seals: number }> {
  const hash = createHash('sha256');
  let seals = 0;
  for (let after: [wallet: string, seq: string] = ['0', '0']; ;) {
    const page = await em.query<Row<WalletSeal, 'walletId' | 'uptoSeq' | 'hash'>[]>(
      `SELECT wallet_id, upto_seq, hash FROM wallet_seals WHERE root_number = $1 AND (wallet_id, upto_seq) > ($2, $3)
       ORDER BY wallet_id, upto_seq LIMIT ${SEALS_PAGE}`,
      [number, ...after],
    );
    for (const seal of page) hash.update(`${seal.wallet_id}:${seal.upto_seq}:`).update(seal.hash);
    seals += page.length;
    const last = page.at(-1);
    if (!last || page.length < SEALS_PAGE) return { hash: hash.digest(), seals };
    after = [last.wallet_id, last.upto_seq];
  }
}
