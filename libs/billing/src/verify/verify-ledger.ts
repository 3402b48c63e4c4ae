import { readInSnapshot } from '@platform/persistence';
import type { Keyring } from '@platform/platform';
import type { DataSource, EntityManager } from 'typeorm';
import { HASHED_ENTRY_SQL, splitMarks, type HashedEntry } from '../seals/entry-hash.js';
import { findDifferingRefunds } from './refunds.js';
import { findDifferingShares } from './shares.js';
import { verifyRoots } from './verify-roots.js';
import { formatRange, WalletReplay, type BrokenSeal, type StoredSeal, type StoredWallet } from './wallet-replay.js';

const WALLETS_BATCH = 200;
/** Small enough that other work on the event loop is not delayed. */
const ENTRIES_PAGE = 500;

export interface VerifyOptions {
  /** The `SECRET_KEYS` of the gateway. */
  keyring: Keyring;
  /** Receives a line for each problem. The line names the wallet and the entry. */
  report: (problem: string) => void;
  /** Ends the check early. */
  signal?: AbortSignal;
}

export interface LedgerVerdict {
  wallets: number;
  entries: number;
  /** Entries that are in no seal yet. */
  unsealed: number;
  problems: number;
  /** A line for each thing that could not be checked. */
  notes: string[];
}

/**
 * Replays the entries of every wallet and compares the result with the wallet, its lots,
 * reservations and debts, with the shares of developers, with refunds and disputes, and with the
 * seals. A difference is reported and counted as a problem; it is not an error. It reads wallets in
 * batches, each in one snapshot, so movements can go on, and memory does not grow with the ledger.
 *
 * @throws the reason of `signal` if it is aborted while entries are read.
 */
export async function verifyLedger(dataSource: DataSource, options: VerifyOptions): Promise<LedgerVerdict> {
  const verification = new Verification(dataSource, options);
  return verification.verify();
}

class Verification {
  private readonly verdict: LedgerVerdict = { wallets: 0, entries: 0, unsealed: 0, problems: 0, notes: [] };
  private balances = 0n;
  /** Sum of the entries by contra account (the column `counter`). */
  private readonly counters = new Map<string, bigint>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: VerifyOptions,
  ) {}

  async verify(): Promise<LedgerVerdict> {
    for (let after: string | null = '0'; after !== null;)
      after = await readInSnapshot(this.dataSource, this.batchAfter(after));
    const sum = [...this.counters.values()].reduce((all, one) => all + one, 0n);
    if (sum !== this.balances) this.problem(`the counters add up to ${-sum}, the wallets to ${this.balances}`);
    for (const difference of await findDifferingShares(this.dataSource)) this.problem(difference);
    for (const difference of await findDifferingRefunds(this.dataSource)) this.problem(difference);
    const { keyring } = this.options;
    await verifyRoots(this.dataSource, keyring, {
      problem: (text) => this.problem(text),
      note: (text) => this.verdict.notes.push(text),
    });
    if (this.verdict.unsealed)
      this.verdict.notes.push(`${this.verdict.unsealed} entries are not sealed yet; they are sealed every night`);
    return this.verdict;
  }

  /**
   * Returns a function that checks the next wallets after the id `after`. It returns the wallet
   * after which the next batch begins; null if no batch follows.
   */
  private batchAfter(after: string) {
    return async (em: EntityManager): Promise<string | null> => {
      const wallets = await storedWallets(em, after);
      const last = wallets.length < WALLETS_BATCH ? null : (wallets.at(-1)?.id ?? null);
      const within: Within = [after, last ?? MAX_ID];
      const seals = await sealsOf(em, within);
      const replays = new Map(
        wallets.map((wallet) => [wallet.id, new WalletReplay(wallet, seals.get(wallet.id) ?? [])]),
      );
      for (const id of seals.keys())
        if (!replays.has(id)) this.problem(`wallet ${id}: it no longer exists, but was sealed`);
      await this.follow(em, within, replays);
      for (const wallet of wallets) await this.finish(em, wallet, replays.get(wallet.id) as WalletReplay);
      for (const problem of await overReversals(em, within)) this.problem(problem);
      return last;
    };
  }

  private async follow(
    em: EntityManager,
    [from, to]: Within,
    replays: ReadonlyMap<string, WalletReplay>,
  ): Promise<void> {
    const strays = new Set<string>();
    for (let after: [wallet: string, seq: string] = [from, MAX_ID]; ;) {
      this.options.signal?.throwIfAborted();
      const page = await em.query<HashedEntry[]>(
        `SELECT ${HASHED_ENTRY_SQL} FROM ledger_entries e WHERE (e.wallet_id, e.seq) > ($1, $2) AND e.wallet_id <= $3
         ORDER BY e.wallet_id, e.seq LIMIT ${ENTRIES_PAGE}`,
        [...after, to],
      );
      for (const entry of page) {
        const replay = replays.get(entry.wallet_id);
        if (replay) replay.add(entry);
        else strays.add(entry.wallet_id);
        this.counters.set(entry.counter, (this.counters.get(entry.counter) ?? 0n) + BigInt(entry.amount));
      }
      this.verdict.entries += page.length;
      const last = page.at(-1);
      if (!last || page.length < ENTRIES_PAGE) break;
      after = [last.wallet_id, last.seq];
    }
    for (const id of strays) this.problem(`wallet ${id}: it no longer exists, but has entries`);
  }

  private async finish(em: EntityManager, { id, balance }: StoredWallet, replay: WalletReplay): Promise<void> {
    replay.finish();
    this.verdict.wallets++;
    this.balances += BigInt(balance);
    this.verdict.unsealed += replay.unsealed;
    for (const problem of replay.problems) this.problem(problem);
    for (const seal of replay.broken) this.problem(await changedIn(em, id, seal));
  }

  private problem(text: string): void {
    this.verdict.problems++;
    this.options.report(text);
  }
}

type Within = readonly [after: string, upTo: string];
const MAX_ID = '9223372036854775807';

const storedWallets = (em: EntityManager, after: string): Promise<StoredWallet[]> =>
  em.query<StoredWallet[]>(
    `SELECT w.id, w.balance, w.held, w.debt, w.seq, w.lots, w.next_expiry, w.closed_at IS NOT NULL AS is_closed,
       (SELECT coalesce(sum(h.amount), 0) FROM wallet_holds h WHERE h.wallet_id = w.id) AS holds,
       (SELECT coalesce(sum(d.amount), 0) FROM ledger_debts d WHERE d.wallet_id = w.id) AS owed
     FROM wallets w WHERE w.id > $1 ORDER BY w.id LIMIT ${WALLETS_BATCH}`,
    [after],
  );

async function sealsOf(em: EntityManager, within: Within): Promise<Map<string, StoredSeal[]>> {
  const rows = await em.query<(StoredSeal & { wallet_id: string })[]>(
    'SELECT wallet_id, upto_seq, root_number, hash FROM wallet_seals WHERE wallet_id > $1 AND wallet_id <= $2 ORDER BY wallet_id, upto_seq',
    [...within],
  );
  const seals = new Map<string, StoredSeal[]>();
  for (const { wallet_id: id, ...seal } of rows) seals.set(id, [...(seals.get(id) ?? []), seal]);
  return seals;
}

/** Finds entries whose reversals gave back more than they took. Returns a line for each. */
async function overReversals(em: EntityManager, within: Within): Promise<string[]> {
  const rows = await em.query<{ wallet_id: string; seq: string; amount: string; given: string }[]>(
    `SELECT r.wallet_id, r.reverses_seq AS seq, coalesce(e.amount, 0) AS amount, sum(r.amount) AS given
     FROM ledger_entries r LEFT JOIN ledger_entries e ON e.wallet_id = r.wallet_id AND e.seq = r.reverses_seq
     WHERE r.wallet_id > $1 AND r.wallet_id <= $2 AND r.reverses_seq IS NOT NULL
     GROUP BY r.wallet_id, r.reverses_seq, e.amount HAVING sum(r.amount) > -coalesce(e.amount, 0) ORDER BY 1, 2`,
    [...within],
  );
  return rows.map(
    ({ wallet_id: id, seq, amount, given }) =>
      `wallet ${id}, entry ${seq}: ${given} credits of it were given back, but its amount is ${amount}`,
  );
}

async function changedIn(
  em: EntityManager,
  walletId: string,
  { upto_seq: upto, root_number: root, from_seq: from, marks }: BrokenSeal,
): Promise<string> {
  const [seal] = await em.query<{ marks: Buffer }[]>(
    'SELECT marks FROM wallet_seals WHERE wallet_id = $1 AND upto_seq = $2',
    [walletId, upto],
  );
  const sealed = splitMarks(seal?.marks ?? Buffer.alloc(0));
  const changed = marks.filter(({ seq, mark }) => !sealed[seq - from]?.equals(mark)).map(({ seq }) => seq);
  const which =
    changed.length && changed.length < marks.length
      ? `entry ${changed.join(', ')}`
      : `entries ${formatRange(from, Number(upto))}`;
  return `wallet ${walletId}, ${which}: not as it was when root ${root} sealed it`;
}
