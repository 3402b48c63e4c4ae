import { Injectable } from '@nestjs/common';
import { queryPrepared, type Row, type TenantData } from '@platform/persistence';
import { maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { LedgerService } from './ledger.service.js';
import type { Wallet, WalletKind } from './wallet.entity.js';

const IDS_KEPT = 100_000;

/** Current state of a wallet. Without a wallet all amounts are zero and `id` is null. */
export interface WalletState {
  id: string | null;
  /**
   * Credits that can be spent: not expired and not reserved (`wallet_available`). The `available`
   * of a movement (`ledger_answer`) also subtracts the debt, and is 0 for a closed wallet.
   */
  available: number;
  held: number;
  debt: number;
  updatedAt: Date | null;
}

const STATE = `SELECT id, wallet_held(w)::text AS held, debt::text, updated_at, wallet_available(w)::text AS available FROM wallets w`;
type StateRow = Row<Wallet, 'id' | 'held' | 'debt' | 'updatedAt'> & { available: string };

const EMPTY: WalletState = { id: null, available: 0, held: 0, debt: 0, updatedAt: null };

@Injectable()
export class WalletsRepository {
  /** Ids of wallets by kind and user. The id of a wallet never changes. */
  private readonly ids = new LRUCache<string, string>(maxEntries(IDS_KEPT));

  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: LedgerService,
  ) {}

  async getWalletState({ em, tenantId }: TenantData, userId: string, kind: WalletKind = 'user'): Promise<WalletState> {
    const [row] = await em.query<StateRow[]>(`${STATE} WHERE w.tenant_id = $1 AND w.user_id = $2 AND w.kind = $3`, [
      tenantId,
      userId,
      kind,
    ]);
    return row
      ? {
          ...row,
          available: Number(row.available),
          held: Number(row.held),
          debt: Number(row.debt),
          updatedAt: row.updated_at,
        }
      : EMPTY;
  }

  /** Id of the wallet; null if the user has none yet. Treat that like an empty wallet. */
  async findWalletId(userId: string, kind: WalletKind = 'user'): Promise<string | null> {
    const key = `${kind} ${userId}`;
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const [wallet] = await queryPrepared<Row<Wallet, 'id'>>(
      this.dataSource,
      'SELECT id FROM wallets WHERE user_id = $1 AND kind = $2',
      [userId, kind],
    );
    if (wallet) this.ids.set(key, wallet.id);
    return wallet?.id ?? null;
  }

  /**
   * Returns the id of the wallet and creates the wallet in the user's tenant if it is missing. The
   * wallet of a deleted user is closed from the start. If the account deletion is running, this
   * waits until it ends. Safe to repeat.
   *
   * @throws Error if the user does not exist.
   */
  async ensureWallet(userId: string, kind: WalletKind = 'user', em = this.dataSource.manager): Promise<string> {
    const [made] = await em.query<Row<Wallet, 'id'>[]>(
      `WITH known AS MATERIALIZED (SELECT id FROM wallets WHERE user_id = $1 AND kind = $2),
         made AS (
           INSERT INTO wallets (tenant_id, user_id, kind, closed_at)
           SELECT tenant_id, id, $2, erased_at FROM users WHERE id = $1 AND NOT EXISTS (SELECT FROM known) FOR KEY SHARE
           ON CONFLICT (user_id, kind) DO NOTHING RETURNING id)
       SELECT id FROM known UNION ALL SELECT id FROM made LIMIT 1`,
      [userId, kind],
    );
    if (made) return made.id;
    // Another transaction created the wallet at the same time.
    const [wallet] = await em.query<Row<Wallet, 'id'>[]>('SELECT id FROM wallets WHERE user_id = $1 AND kind = $2', [
      userId,
      kind,
    ]);
    if (!wallet) throw new Error(`There is no user ${userId}, so there is no wallet.`);
    return wallet.id;
  }

  /** Closes all wallets of a user during account deletion. */
  async closeAllWallets({ em, tenantId }: TenantData, userId: string): Promise<void> {
    const wallets = await em.query<Row<Wallet, 'id'>[]>(
      'SELECT id FROM wallets WHERE tenant_id = $1 AND user_id = $2 ORDER BY id',
      [tenantId, userId],
    );
    for (const { id } of wallets) await this.ledger.closeWallet(id, em);
  }
}
