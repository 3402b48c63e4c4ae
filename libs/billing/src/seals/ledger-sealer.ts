import type { Row } from '@platform/persistence';
import type { Keyring } from '@platform/platform';
import type { Logger } from 'pino';
import type { DataSource, EntityManager } from 'typeorm';
import { HASHED_ENTRY_SQL, hashEntry, hashSeal, getEntryMark, type HashedEntry } from './entry-hash.js';
import type { LedgerRoot } from './ledger-root.entity.js';
import { hashRoot, sealRoot, type RootSeal } from './root-seal.js';
import type { WalletSeal } from './wallet-seal.entity.js';

const WALLETS_BATCH = 50;
/** Most entries in one seal. */
const MAX_ENTRIES = 500;

interface Unsealed {
  wallet_id: string;
  /** Last entry of the previous seal; null before the first seal. */
  upto_seq: string | null;
  hash: Buffer | null;
}

/**
 * Seals the entries of every wallet: a sealed entry can neither be changed nor removed unnoticed,
 * even by someone with the right to drop the triggers. A seal is a hash over new entries of one
 * wallet. The seals of a run form a root, which is signed with a key of the gateway and logged.
 * Takes no lock that a movement waits for. A run that stops early is continued by the next run.
 */
export class LedgerSealer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keyring: Keyring,
    private readonly logger: Pick<Logger, 'info'>,
  ) {}

  /**
   * Seals all entries that are in no seal yet. Safe to run in any number of processes at the same
   * time.
   *
   * @returns the new root; null if there was nothing to seal, if another process has finished the
   * root, or if `signal` was aborted.
   */
  async seal(signal?: AbortSignal): Promise<RootSeal | null> {
    const number = await this.openRoot();
    if (number === null) return null;
    for (let after: string | null = '0'; after !== null;) {
      if (signal?.aborted) return null;
      after = await this.sealBatch(number, after);
    }
    return this.finish(number);
  }

  /**
   * Number of the root that is being made; null if every entry is sealed. Begins a root if there
   * are unsealed entries and none is being made.
   */
  private async openRoot(): Promise<string | null> {
    const [last] = await this.dataSource.query<Row<LedgerRoot, 'number' | 'mac'>[]>(
      'SELECT number, mac FROM ledger_roots ORDER BY number DESC LIMIT 1',
    );
    if (last && last.mac === null) return last.number;
    if (!(await unsealedWallets(this.dataSource.manager, '0', 1)).length) return null;
    const number = String(BigInt(last?.number ?? 0) + 1n);
    await this.dataSource.query('INSERT INTO ledger_roots (number) VALUES ($1) ON CONFLICT DO NOTHING', [number]);
    return number;
  }

  /**
   * Seals the next entries, up to 500 of each wallet, of the next 50 wallets with unsealed ones
   * after the id `after`. Returns the wallet after which the next batch begins; null if no batch
   * follows or the root is finished.
   */
  private sealBatch(number: string, after: string): Promise<string | null> {
    return this.dataSource.transaction(async (em) => {
      // The lock lets one process at a time make seals of a root. The next process sees them.
      if (!(await lockOpenRoot(em, number))) return null;
      const wallets = await unsealedWallets(em, after, WALLETS_BATCH);
      const entries = await em.query<HashedEntry[]>(
        `SELECT ${HASHED_ENTRY_SQL} FROM unnest($1::bigint[], $2::bigint[]) AS w (id, upto), LATERAL (
           SELECT * FROM ledger_entries l WHERE l.wallet_id = w.id AND l.seq > w.upto ORDER BY l.seq LIMIT ${MAX_ENTRIES}) AS e
         ORDER BY e.wallet_id, e.seq`,
        [wallets.map(({ wallet_id: id }) => id), wallets.map(({ upto_seq: upto }) => upto ?? '0')],
      );
      const byWallet = grouped(entries);
      const seals = wallets.flatMap((wallet) => sealOf(wallet, byWallet.get(wallet.wallet_id) ?? []));
      await insertSeals(em, number, seals, entries.length);
      const isMoreOfOne = [...byWallet.values()].some(({ length }) => length === MAX_ENTRIES);
      if (isMoreOfOne) return after;
      return wallets.length < WALLETS_BATCH ? null : (wallets.at(-1)?.wallet_id ?? null);
    });
  }

  private async finish(number: string): Promise<RootSeal | null> {
    const root = await this.dataSource.transaction(async (em) => {
      const open = await lockOpenRoot(em, number);
      if (!open) return null;
      const [before] = await em.query<Row<LedgerRoot, 'mac'>[]>(
        'SELECT mac FROM ledger_roots WHERE number = $1::bigint - 1',
        [number],
      );
      const { hash, seals } = await hashRoot(em, number);
      const sealed = sealRoot(this.keyring, {
        number: Number(number),
        seals,
        entries: Number(open.entries),
        sealed_at: new Date().toISOString(),
        hash: hash.toString('hex'),
        previous: before?.mac ?? '',
      });
      await em.query(
        'UPDATE ledger_roots SET seals = $2, sealed_at = $3, hash = $4, previous = $5, key_id = $6, mac = $7 WHERE number = $1',
        [number, seals, sealed.sealed_at, hash, sealed.previous, sealed.key_id, sealed.mac],
      );
      return sealed;
    });
    // Puts the root into a log that the database cannot change.
    if (root) this.logger.info({ ledger_root: root }, 'the ledger was sealed');
    return root;
  }
}

async function lockOpenRoot(em: EntityManager, number: string): Promise<Row<LedgerRoot, 'entries'> | null> {
  const [root] = await em.query<Row<LedgerRoot, 'entries'>[]>(
    'SELECT entries FROM ledger_roots WHERE number = $1 AND mac IS NULL FOR UPDATE',
    [number],
  );
  return root ?? null;
}

const unsealedWallets = (em: EntityManager, after: string, limit: number): Promise<Unsealed[]> =>
  em.query<Unsealed[]>(
    `SELECT w.id AS wallet_id, s.upto_seq, s.hash FROM wallets w LEFT JOIN LATERAL (
       SELECT l.upto_seq, l.hash FROM wallet_seals l WHERE l.wallet_id = w.id ORDER BY l.upto_seq DESC LIMIT 1) AS s ON true
     WHERE w.id > $1 AND w.seq > coalesce(s.upto_seq, 0) ORDER BY w.id LIMIT $2`,
    [after, limit],
  );

type NewSeal = Row<WalletSeal, 'walletId' | 'uptoSeq' | 'hash' | 'marks'>;

function sealOf({ wallet_id, hash: before }: Unsealed, entries: readonly HashedEntry[]): NewSeal[] {
  const last = entries.at(-1);
  if (!last) return [];
  const hashes = entries.map(hashEntry);
  const hash = hashSeal(before ?? Buffer.alloc(0), hashes);
  return [{ wallet_id, upto_seq: last.seq, hash, marks: Buffer.concat(hashes.map(getEntryMark)) }];
}

async function insertSeals(
  em: EntityManager,
  number: string,
  seals: readonly NewSeal[],
  entries: number,
): Promise<void> {
  if (!seals.length) return;
  await em.query(
    `INSERT INTO wallet_seals (root_number, wallet_id, upto_seq, hash, marks)
     SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[])`,
    [
      number,
      seals.map((s) => s.wallet_id),
      seals.map((s) => s.upto_seq),
      seals.map((s) => s.hash),
      seals.map((s) => s.marks),
    ],
  );
  await em.query('UPDATE ledger_roots SET seals = seals + $2, entries = entries + $3 WHERE number = $1', [
    number,
    seals.length,
    entries,
  ]);
}

/** Groups the entries by wallet. */
function grouped(entries: readonly HashedEntry[]): Map<string, HashedEntry[]> {
  const groups = new Map<string, HashedEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.wallet_id);
    if (group) group.push(entry);
    else groups.set(entry.wallet_id, [entry]);
  }
  return groups;
}
