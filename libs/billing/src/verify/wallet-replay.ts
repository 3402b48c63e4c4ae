import type { Lot } from '../ledger/lot.js';
import { hashEntry, hashSeal, getEntryMark, type HashedEntry } from '../seals/entry-hash.js';

/** Stored wallet, with sums from other tables of the same snapshot. */
export interface StoredWallet {
  id: string;
  balance: string;
  held: string;
  debt: string;
  seq: string | null;
  lots: Lot[];
  next_expiry: Date | null;
  is_closed: boolean;
  /** Sums of the wallet's reservations and of its debts. */
  holds: string;
  owed: string;
}

export interface StoredSeal {
  upto_seq: string;
  root_number: string;
  hash: Buffer;
}

/** Seal that does not match the current entries. */
export interface BrokenSeal extends StoredSeal {
  from_seq: number;
  /** Marks of the entries as they are now. */
  marks: { seq: number; mark: Buffer }[];
}

const total = (lots: readonly Lot[]): number => lots.reduce((sum, { amount }) => sum + amount, 0);
const identityOf = ({ source, priority, expires_at, earns }: Lot): string =>
  JSON.stringify([source, priority, expires_at, earns]);

/**
 * Replays the entries of one wallet from first to last and compares the result with the wallet.
 * After a mismatch it continues from the stored values, so that one fault is reported once.
 */
export class WalletReplay {
  readonly problems: string[] = [];
  readonly broken: BrokenSeal[] = [];
  /** Number of the last replayed entry. */
  private seq = 0;
  private balance = 0;
  private sum = 0;
  private paidOfDebts = 0;
  private readonly lots = new Map<string, number>();
  private readonly seals: StoredSeal[];
  private sealedUpto = 0;
  private sealHash: Buffer = Buffer.alloc(0);
  private hashes: Buffer[] = [];
  private seqs: number[] = [];

  constructor(
    private readonly wallet: StoredWallet,
    seals: readonly StoredSeal[],
  ) {
    this.seals = [...seals];
  }

  /** Number of replayed entries that are in no seal. */
  get unsealed(): number {
    return this.hashes.length;
  }

  add(entry: HashedEntry): void {
    const seq = Number(entry.seq);
    const amount = Number(entry.amount);
    const before = Number(entry.balance_before);
    const after = Number(entry.balance_after);
    const lots = JSON.parse(entry.lots) as Lot[];
    this.checkPlace(seq, entry);
    if (before !== this.balance)
      this.problem(seq, `begins with the balance ${before}, but the previous entry ends with ${this.balance}`);
    if (after !== before + amount) this.problem(seq, `${before} and ${amount} do not add up to ${after}`);
    if (total(lots) !== Math.abs(amount))
      this.problem(seq, `its lots are ${total(lots)} credits, its amount is ${amount}`);
    this.checkShare(seq, entry, lots);
    this.applyLots(seq, Math.sign(amount), lots);
    if (entry.kind === 'debt_payment') this.paidOfDebts -= amount;
    this.sum += amount;
    this.balance = after;
    this.seq = seq;
    this.hash(entry, seq);
  }

  /** Compares the totals. Call it after the last entry. */
  finish(): void {
    const { balance, held, debt, seq, holds, owed, is_closed: isClosed } = this.wallet;
    this.checkEnd(Number(seq ?? 0));
    this.equal('its entries add up to', this.sum, 'its balance is', Number(balance));
    this.equal('its reservations add up to', Number(holds), 'held is', Number(held));
    this.equal('its debts minus their payments are', Number(owed) - this.paidOfDebts, 'its debt is', Number(debt));
    if (isClosed && balance !== held)
      this.problem(null, `it is closed and has ${balance} credits, but only ${held} are reserved`);
    this.compareLots();
    for (const { upto_seq: upto, root_number: root } of this.seals) {
      this.problem(
        null,
        `root ${root} sealed the entries ${this.sealedUpto + 1} to ${upto}, but the last entry is ${this.seq}`,
      );
      this.sealedUpto = Number(upto);
    }
  }

  private checkPlace(seq: number, { prev_seq: previous }: HashedEntry): void {
    if (seq !== this.seq + 1) this.problem(null, `the entries ${formatRange(this.seq + 1, seq - 1)} are missing`);
    else if (Number(previous ?? 0) !== this.seq) this.problem(seq, `names ${previous ?? 'none'} as the previous entry`);
  }

  private checkShare(seq: number, { earned_base, share }: HashedEntry, lots: readonly Lot[]): void {
    const earning = total(lots.filter(({ earns }) => earns));
    if (Number(earned_base) > earning)
      this.problem(seq, `earns from ${earned_base} credits, but took ${earning} credits that earn`);
    if (Number(share) > Number(earned_base)) this.problem(seq, `has a share of ${share} of ${earned_base} credits`);
  }

  private applyLots(seq: number, sign: number, lots: readonly Lot[]): void {
    for (const lot of lots) {
      const key = identityOf(lot);
      const has = this.lots.get(key) ?? 0;
      const left = has + sign * lot.amount;
      if (left < 0) this.problem(seq, `takes ${lot.amount} credits of the source ${lot.source}, but there were ${has}`);
      if (left > 0) this.lots.set(key, left);
      else this.lots.delete(key);
    }
  }

  private checkEnd(seq: number): void {
    if (seq > this.seq) this.problem(null, `the entries ${formatRange(this.seq + 1, seq)} are missing`);
    if (seq < this.seq)
      this.problem(null, `it names ${seq} as its last entry, but has ${formatRange(seq + 1, this.seq)} too`);
  }

  private compareLots(): void {
    const stored = new Map<string, number>();
    let firstExpiry = Infinity;
    for (const lot of this.wallet.lots) {
      stored.set(identityOf(lot), (stored.get(identityOf(lot)) ?? 0) + lot.amount);
      if (lot.expires_at !== null) firstExpiry = Math.min(firstExpiry, Date.parse(lot.expires_at));
      if (lot.amount < 1) this.problem(null, `it has a lot of ${lot.amount} credits`);
    }
    for (const key of new Set([...stored.keys(), ...this.lots.keys()])) {
      const [source] = JSON.parse(key) as [string];
      this.equal(
        `its entries leave in a lot of the source ${source}`,
        this.lots.get(key) ?? 0,
        'it has',
        stored.get(key) ?? 0,
      );
    }
    if (firstExpiry < (this.wallet.next_expiry?.getTime() ?? Infinity))
      this.problem(null, 'a lot of it expires before the stored next expiry');
  }

  private hash(entry: HashedEntry, seq: number): void {
    this.hashes.push(hashEntry(entry));
    this.seqs.push(seq);
    for (let [seal] = this.seals; seal && Number(seal.upto_seq) <= seq; [seal] = this.seals) {
      this.seals.shift();
      if (!hashSeal(this.sealHash, this.hashes).equals(seal.hash)) {
        const marks = this.hashes.map((hash, at) => ({ seq: this.seqs[at] as number, mark: getEntryMark(hash) }));
        this.broken.push({ ...seal, from_seq: this.sealedUpto + 1, marks });
      }
      this.sealHash = seal.hash;
      this.sealedUpto = Number(seal.upto_seq);
      this.hashes = [];
      this.seqs = [];
    }
  }

  private equal(what: string, one: number, otherwise: string, other: number): void {
    if (one !== other) this.problem(null, `${what} ${one}, ${otherwise} ${other}`);
  }

  private problem(seq: number | null, text: string): void {
    this.problems.push(`wallet ${this.wallet.id}, entry ${seq ?? this.seq}: ${text}`);
  }
}

export const formatRange = (first: number, last: number): string =>
  first === last ? String(first) : `${first} to ${last}`;
