import { readInSnapshot, type Row } from '@platform/persistence';
import type { Keyring } from '@platform/platform';
import type { DataSource } from 'typeorm';
import type { LedgerRoot } from '../seals/ledger-root.entity.js';
import { hashRoot, checkRootAuthenticity, type RootSeal } from '../seals/root-seal.js';

interface ProblemReporter {
  problem: (text: string) => void;
  note: (text: string) => void;
}

/**
 * Compares each root, the signed hash of the seals of one run of `LedgerSealer`, with its seals and
 * with the previous root, and checks its signature. Calls `problem` for each difference. Calls
 * `note` for a root that is being made, and for an unknown key.
 */
export async function verifyRoots(
  dataSource: DataSource,
  keyring: Keyring,
  { problem, note }: ProblemReporter,
): Promise<void> {
  const unknownKeys = new Set<string>();
  let before: RootSeal | null = null;
  for (;;) {
    const number: string = String((before?.number ?? 0) + 1);
    const next: RootSeal | 'open' | null = await readInSnapshot(dataSource, async (em) => {
      const [row] = await em.query<Row<LedgerRoot>[]>(
        'SELECT * FROM ledger_roots WHERE number >= $1 ORDER BY number LIMIT 1',
        [number],
      );
      if (!row) return null;
      const root = toRoot(row);
      if (!root) return 'open';
      const { hash, seals } = await hashRoot(em, row.number);
      if (hash.toString('hex') !== root.hash)
        problem(`root ${root.number}: its ${seals} seals differ from the ${root.seals} seals that it was made of`);
      return root;
    });
    if (!next) return;
    if (next === 'open') {
      note(`root ${number} is being made`);
      return;
    }
    if (next.number !== Number(number)) problem(`root ${number}: it is missing, but ${next.number} is there`);
    else if (next.previous !== (before?.mac ?? '')) problem(`root ${number}: it does not name the previous root`);
    const authenticity = checkRootAuthenticity(keyring, next);
    if (authenticity === 'forged') problem(`root ${next.number}: it was not made by the gateway`);
    if (authenticity === 'unknown_key' && !unknownKeys.has(next.key_id)) {
      unknownKeys.add(next.key_id);
      note(
        `root ${next.number} and perhaps later ones cannot be checked: the key "${next.key_id}" is not among SECRET_KEYS`,
      );
    }
    before = next;
  }
}

/** Converts a stored root; null while the root is being made. */
function toRoot({ number, seals, entries, sealed_at, hash, previous, key_id, mac }: Row<LedgerRoot>): RootSeal | null {
  if (!sealed_at || !hash || previous === null || key_id === null || mac === null) return null;
  return {
    number: Number(number),
    seals: Number(seals),
    entries: Number(entries),
    sealed_at: sealed_at.toISOString(),
    hash: hash.toString('hex'),
    previous,
    key_id,
    mac,
  };
}
