import { Injectable } from '@nestjs/common';
import { RetentionService, type Row } from '@platform/persistence';
import { newId } from '@platform/platform';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AccountDeletionService, rowsOfUser } from '../account-deletion/account-deletion.service.js';
import { IdempotencyErrors } from './idempotency.errors.js';
import { MAX_STORED_BYTES, type IdempotentRequest } from './idempotent-request.entity.js';

/** Longer than any request takes. A process without an answer after this time has died. */
const LEASE_SECONDS = 60;
const KEPT_FOR = '24 hours';

export type IdempotentContent = Pick<IdempotentRequest, 'tenantId' | 'userId' | 'owner' | 'target' | 'key' | 'sha256'>;

/** Request that this process must answer. */
export interface Attempt {
  kind: 'attempt';
  id: string;
  attempt: string;
  /** True if another attempt came before, so the work may be done already. */
  isRetry: boolean;
}

/** Stored answer of an earlier request with the same key. */
export interface Answer {
  kind: 'answer';
  status: number;
  body: unknown;
}

type ClaimRow = Row<IdempotentRequest, 'id' | 'status' | 'body'> & {
  is_mine: boolean;
  is_same: boolean;
  is_again: boolean;
};

/** Stores requests with an `Idempotency-Key`, with their answers, for 24 hours. */
@Injectable()
export class IdempotentRequestsService {
  constructor(
    private readonly dataSource: DataSource,
    retention: RetentionService,
    accountDeletion: AccountDeletionService,
  ) {
    retention.registerExpiredRows({
      table: 'idempotent_requests',
      key: 'id',
      where: `created_at < now() - interval '${KEPT_FOR}'`,
    });
    accountDeletion.addDataStep(rowsOfUser('idempotent_requests'));
  }

  /**
   * Claims an `Idempotency-Key` for this process: for its first request, or for a retry if the
   * earlier attempt gave up or did not end within 60 seconds. One SQL statement decides, so
   * concurrent requests cannot both win.
   *
   * @returns an Attempt, which this process must end with `storeAnswer`, `abandonAttempt` or
   * `discardAttempt`; or the stored Answer if the request was answered already.
   * @throws AppError 422 `idempotency.key_reused` if the key belongs to a request with another
   * query or body; 409 `idempotency.in_progress` while another attempt runs.
   */
  async claimKey({ tenantId, userId, owner, target, key, sha256 }: IdempotentContent): Promise<Attempt | Answer> {
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
    return { kind: 'attempt', id: row.id, attempt, isRetry: row.is_again };
  }

  /**
   * Stores the answer of an attempt, so that retries get it. Does nothing if another attempt has
   * taken over the request.
   *
   * @throws Error for an answer above `MAX_STORED_BYTES`.
   */
  async storeAnswer({ id, attempt }: Attempt, status: number, body: unknown): Promise<void> {
    const json = body === undefined ? null : JSON.stringify(body);
    if (json !== null && Buffer.byteLength(json) > MAX_STORED_BYTES)
      throw new Error(
        `An answer above ${MAX_STORED_BYTES} bytes cannot be stored: the route must not accept an Idempotency-Key.`,
      );
    await this.dataSource.query(
      'UPDATE idempotent_requests SET status = $3, body = $4 WHERE id = $1 AND attempt = $2',
      [id, attempt, status, json],
    );
  }

  /**
   * Ends an attempt without an answer. The next retry with the same key runs the request again; the
   * failed attempt may have had effects.
   */
  async abandonAttempt({ id, attempt }: Attempt): Promise<void> {
    await this.dataSource.query('UPDATE idempotent_requests SET leased_until = now() WHERE id = $1 AND attempt = $2', [
      id,
      attempt,
    ]);
  }

  /**
   * Ends an attempt that had no effect: its key becomes unused. If an earlier attempt of the
   * request may have had effects, it does the same as `abandonAttempt`.
   */
  async discardAttempt(attempt: Attempt): Promise<void> {
    if (attempt.isRetry) return this.abandonAttempt(attempt);
    await this.dataSource.query('DELETE FROM idempotent_requests WHERE id = $1 AND attempt = $2', [
      attempt.id,
      attempt.attempt,
    ]);
  }
}
