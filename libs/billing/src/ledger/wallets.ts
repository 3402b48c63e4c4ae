import { Injectable } from '@nestjs/common';
import { queryPrepared, type Row, type TenantData } from '@platform/persistence';
import { maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Ledger } from './ledger.js';
import type { Wallet, WalletKind } from './wallet.entity.js';

const IDS_KEPT = 100_000;

/** What a wallet holds now. Without a wallet all is zero, and `id` null. */
export interface WalletState {
  id: string | null;
  /**
   * What can be spent: the credits that have not expired, without those that are held (`wallet_available`). What a movement says is available
   * (`ledger_answer`) is without what is owed, too, and nothing of a closed wallet.
   */
  available: number;
  held: number;
  debt: number;
  updatedAt: Date | null;
}

const STATE = `SELECT id, wallet_held(w)::text AS held, debt::text, updated_at, wallet_available(w)::text AS available FROM wallets w`;
type StateRow = Row<Wallet, 'id' | 'held' | 'debt' | 'updatedAt'> & { available: string };

const EMPTY: WalletState = { id: null, available: 0, held: 0, debt: 0, updatedAt: null };

/** The wallets of users. */
@Injectable()
export class Wallets {
  /** The id of a wallet never changes. */
  private readonly ids = new LRUCache<string, string>(maxEntries(IDS_KEPT));

  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: Ledger,
  ) {}

  async state({ em, tenantId }: TenantData, userId: string, kind: WalletKind = 'user'): Promise<WalletState> {
    const [row] = await em.query<StateRow[]>(`${STATE} WHERE w.tenant_id = $1 AND w.user_id = $2 AND w.kind = $3`, [
      tenantId,
      userId,
      kind,
    ]);
    return row
      ? { ...row, available: Number(row.available), held: Number(row.held), debt: Number(row.debt), updatedAt: row.updated_at }
      : EMPTY;
  }

  /** Null where the user has none yet, which is as good as an empty one. */
  async find(userId: string, kind: WalletKind = 'user'): Promise<string | null> {
    const key = `${kind} ${userId}`;
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const [wallet] = await queryPrepared<Row<Wallet, 'id'>>(this.dataSource, 'SELECT id FROM wallets WHERE user_id = $1 AND kind = $2', [
      userId,
      kind,
    ]);
    if (wallet) this.ids.set(key, wallet.id);
    return wallet?.id ?? null;
  }

  /**
   * Makes it where there is none, in the user's tenant. That of a user who was erased is closed from the start; where they are being erased at the
   * moment, it waits for that. @throws Error when there is no such user.
   */
  async ensure(userId: string, kind: WalletKind = 'user', em = this.dataSource.manager): Promise<string> {
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
    // Another transaction made it in this moment.
    const [wallet] = await em.query<Row<Wallet, 'id'>[]>('SELECT id FROM wallets WHERE user_id = $1 AND kind = $2', [userId, kind]);
    if (!wallet) throw new Error(`There is no user ${userId} who could have a wallet.`);
    return wallet.id;
  }

  /**
   * Gives a wallet to those who have none of the next `limit` users, in the order of their ids. Whoever is being changed at the moment is passed over,
   * so that nobody waits for them: call it again later. Returns the id of the last of these users; null where no user follows them.
   */
  async ensureNext(after: string, limit: number): Promise<string | null> {
    const [batch] = await this.dataSource.query<[{ last: string | null; users: number }]>(
      `WITH batch AS MATERIALIZED (SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2),
         lacking AS (
           -- Locked, so that nobody is being erased.
           SELECT u.tenant_id, u.id FROM users u JOIN batch ON batch.id = u.id
           WHERE u.erased_at IS NULL AND NOT EXISTS (SELECT FROM wallets w WHERE w.user_id = u.id AND w.kind = 'user')
           FOR SHARE OF u SKIP LOCKED
         ), made AS (
           INSERT INTO wallets (tenant_id, user_id, kind) SELECT tenant_id, id, 'user' FROM lacking ON CONFLICT (user_id, kind) DO NOTHING
         )
       SELECT max(id) AS last, count(*)::integer AS users FROM batch`,
      [after, limit],
    );
    return batch.users < limit ? null : batch.last;
  }

  /** Of a user who is erased: all of them. */
  async closeAll({ em, tenantId }: TenantData, userId: string): Promise<void> {
    const wallets = await em.query<Row<Wallet, 'id'>[]>('SELECT id FROM wallets WHERE tenant_id = $1 AND user_id = $2 ORDER BY id', [
      tenantId,
      userId,
    ]);
    for (const { id } of wallets) await this.ledger.close(id, em);
  }
}
