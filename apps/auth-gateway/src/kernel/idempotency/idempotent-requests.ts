import { Injectable } from '@nestjs/common';
import { Expiries, type Row } from '@platform/persistence';
import { newId } from '@platform/platform';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Erasures, rowsOfUser } from '../erasure/erasures.js';
import { IdempotencyErrors } from './idempotency.errors.js';
import { MAX_KEPT_BYTES, type IdempotentRequest } from './idempotent-request.entity.js';

/** Longer than any request takes. A process that has not answered by then is gone. */
const LEASE_SECONDS = 60;
const KEPT_FOR = '24 hours';

export type IdempotentContent = Pick<IdempotentRequest, 'tenantId' | 'userId' | 'owner' | 'target' | 'key' | 'sha256'>;

/** A request that is this process's to answer. */
export interface Attempt {
  kind: 'attempt';
  id: string;
  attempt: string;
  /** Whether somebody has tried before, so that what it is to do may be done. */
  isAgain: boolean;
}

/** What it was answered before. */
export interface Answer {
  kind: 'answer';
  status: number;
  body: unknown;
}

type ClaimRow = Row<IdempotentRequest, 'id' | 'status' | 'body'> & { is_mine: boolean; is_same: boolean; is_again: boolean };

/** The requests that came with an `Idempotency-Key` in the last day. */
@Injectable()
export class IdempotentRequests {
  constructor(
    private readonly dataSource: DataSource,
    expiries: Expiries,
    erasures: Erasures,
  ) {
    expiries.add({ table: 'idempotent_requests', key: 'id', where: `created_at < now() - interval '${KEPT_FOR}'` });
    erasures.addDataStep(rowsOfUser('idempotent_requests'));
  }

  /**
   * The first to come with a key, or after one that gave up or died, answers. One statement decides who that is.
   *
   * @throws AppError 422 `idempotency.key_reused`, 409 `idempotency.in_progress`.
   */
  async claim({ tenantId, userId, owner, target, key, sha256 }: IdempotentContent): Promise<Attempt | Answer> {
    const attempt = randomUUID();
    const isFree = 'r.status IS NULL AND r.leased_until <= now() AND r.sha256 = EXCLUDED.sha256';
    const [row] = await this.dataSource.query<[ClaimRow]>(
      `INSERT INTO idempotent_requests AS r (id, tenant_id, user_id, owner, target, key, sha256, attempt, leased_until)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + interval '${LEASE_SECONDS} seconds')
       ON CONFLICT (owner, target, key) DO UPDATE SET
         attempt = CASE WHEN ${isFree} THEN EXCLUDED.attempt ELSE r.attempt END,
         leased_until = CASE WHEN ${isFree} THEN EXCLUDED.leased_until ELSE r.leased_until END
       RETURNING id, status, body, attempt = $8 AS is_mine, sha256 = $7 AS is_same, id <> $1 AS is_again`,
      [newId('idm'), tenantId, userId, owner, target, key, sha256, attempt],
    );
    if (!row.is_same) throw IdempotencyErrors.keyReused();
    if (row.status !== null) return { kind: 'answer', status: row.status, body: row.body ?? undefined };
    if (!row.is_mine) throw IdempotencyErrors.inProgress();
    return { kind: 'attempt', id: row.id, attempt, isAgain: row.is_again };
  }

  /** Keeps the answer. Changes nothing where somebody else has taken over, which is then who answers. */
  async finish({ id, attempt }: Attempt, status: number, body: unknown): Promise<void> {
    const json = body === undefined ? null : JSON.stringify(body);
    if (json !== null && Buffer.byteLength(json) > MAX_KEPT_BYTES)
      throw new Error(`An answer of more than ${MAX_KEPT_BYTES} bytes cannot be kept: the route should take no Idempotency-Key.`);
    await this.dataSource.query('UPDATE idempotent_requests SET status = $3, body = $4 WHERE id = $1 AND attempt = $2', [
      id,
      attempt,
      status,
      json,
    ]);
  }

  /** Whoever comes next with the same request tries again: it may have done something, or not. */
  async giveUp({ id, attempt }: Attempt): Promise<void> {
    await this.dataSource.query('UPDATE idempotent_requests SET leased_until = now() WHERE id = $1 AND attempt = $2', [id, attempt]);
  }

  /** For a request that did nothing: the key is as good as new, but where it was tried before. */
  async forget(attempt: Attempt): Promise<void> {
    if (attempt.isAgain) return this.giveUp(attempt);
    await this.dataSource.query('DELETE FROM idempotent_requests WHERE id = $1 AND attempt = $2', [attempt.id, attempt.attempt]);
  }
}
