import type { Row } from '@platform/persistence';
import { Keyring } from '@platform/platform';
import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { LedgerBooking } from '../ledger/ledger-booking.entity.js';
import { LedgerService } from '../ledger/ledger.service.js';
import type { Credit, Debit, Reservation, Reversal, Capture } from '../ledger/movements.js';
import type { Wallet, WalletKind } from '../ledger/wallet.entity.js';
import { WalletsRepository } from '../ledger/wallets.repository.js';
import { verifyLedger, type LedgerVerdict } from '../verify/verify-ledger.js';
import { BillingDatabase } from './billing-database.js';

let keys = 0;
/** Returns a key that no other call has returned. */
export const newKey = (what = 'test'): string => `${what}:${++keys}`;

export const credit = (amount: number, more: Partial<Credit> = {}): Credit => ({
  key: newKey('credit'),
  amount,
  kind: 'admin_adjustment',
  source: 'adjustment',
  earns: false,
  ...more,
});
export const debit = (amount: number, more: Partial<Debit> = {}): Debit => ({
  key: newKey('debit'),
  amount,
  kind: 'call_charge',
  ...more,
});
export const reservation = (amount: number, more: Partial<Reservation> = {}): Reservation => ({
  id: newKey('hold'),
  amount,
  seconds: 60,
  ...more,
});
/** Captures a reservation as a call does: its id is the key of the entry. */
export const capture = (holdId: string, amount: number, more: Partial<Capture> = {}): Capture => ({
  reservationId: holdId,
  key: holdId,
  amount,
  kind: 'call_charge',
  ...more,
});
export const reversal = (reverses: string, amount: number, more: Partial<Reversal> = {}): Reversal => ({
  key: newKey('reversal'),
  reverses,
  amount,
  kind: 'payout_return',
  ...more,
});

/** Ledger on its own database. */
export class LedgerTest {
  readonly keyring = new Keyring(new Map([['k1', randomBytes(32)]]));
  readonly ledger: LedgerService;
  readonly wallets: WalletsRepository;

  private constructor(private readonly database: BillingDatabase) {
    this.ledger = new LedgerService(database.dataSource);
    this.wallets = new WalletsRepository(database.dataSource, this.ledger);
  }

  static async start(): Promise<LedgerTest> {
    return new LedgerTest(await BillingDatabase.start());
  }

  get dataSource(): DataSource {
    return this.database.dataSource;
  }

  get env(): NodeJS.ProcessEnv {
    return this.database.env;
  }

  stop(): Promise<void> {
    return this.database.stop();
  }

  query<Result>(sql: string, parameters: unknown[] = []): Promise<Result[]> {
    return this.database.query<Result>(sql, parameters);
  }

  createUser(): Promise<string> {
    return this.database.createUser();
  }

  /** Creates a wallet for a new user. */
  async createWallet(kind: WalletKind = 'user'): Promise<string> {
    return this.wallets.ensureWallet(await this.createUser(), kind);
  }

  /** Creates a wallet with credits for a new user. */
  async createFilledWallet(amount: number, more: Partial<Credit> = {}): Promise<string> {
    const id = await this.createWallet();
    await this.ledger.credit(id, credit(amount, more));
    return id;
  }

  async readWallet(id: string): Promise<Row<Wallet> & { available: number }> {
    const [wallet] = await this.query<Row<Wallet> & { available: number }>(
      'SELECT w.*, wallet_available(w)::float8 AS available FROM wallets w WHERE id = $1',
      [id],
    );
    return wallet as Row<Wallet> & { available: number };
  }

  listBookings(id: string): Promise<Row<LedgerBooking>[]> {
    return this.query<Row<LedgerBooking>>('SELECT * FROM ledger_entries WHERE wallet_id = $1 ORDER BY seq', [id]);
  }

  /** Kinds and amounts, in order. */
  async listHistory(id: string): Promise<[string, number][]> {
    return (await this.listBookings(id)).map(({ kind, amount }): [string, number] => [kind, Number(amount)]);
  }

  /** Moves the billing time ahead. */
  async moveTimeAhead(interval: string): Promise<void> {
    await this.query('UPDATE billing_clock SET ahead = $1', [interval]);
  }

  /** Sets the billing time. */
  setTime(moment: string): Promise<void> {
    return this.database.setTime(moment);
  }

  async verifyLedger(): Promise<LedgerVerdict & { lines: string[] }> {
    const lines: string[] = [];
    return {
      ...(await verifyLedger(this.dataSource, { keyring: this.keyring, report: (line) => lines.push(line) })),
      lines,
    };
  }
}
