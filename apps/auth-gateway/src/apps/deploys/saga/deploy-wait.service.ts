import { Injectable } from '@nestjs/common';
import { BroadcastService } from '@platform/messaging';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { DEPLOY_COLUMNS, isUnfinished, type DeployRow } from '../versions/deploy-response.js';
import { DEPLOY_CHANGED } from './deploy-completion.service.js';

/** Interval of checks, in case a notification is lost. */
const POLL_EVERY_MS = 250;

/** Waits for deploys that a worker of any process runs. */
@Injectable()
export class DeployWaitService {
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(
    private readonly dataSource: DataSource,
    broadcast: BroadcastService,
  ) {
    broadcast.subscribe(DEPLOY_CHANGED, (deployId) => {
      for (const wake of this.waiting.get(deployId) ?? []) wake();
    });
  }

  /**
   * Resolves when the deploy has failed, was superseded, waits for a review, is served by gateway
   * and Registry, or had another failed attempt since it was `seen`. After `milliseconds` it
   * resolves with the current state. A deploy that no longer exists, because its app was deleted,
   * counts as failed.
   */
  async waitUntilSettled(seen: DeployRow, milliseconds: number): Promise<DeployRow> {
    const deploy = await this.watch(seen.deploy_id, milliseconds, (row) => isSettled(row, seen));
    return deploy ?? { ...seen, status: 'failed', error_message: 'The app was deleted.', finished_at: new Date() };
  }

  /**
   * Resolves when the deploy is no longer in progress, also if it waits for a review or its app was
   * deleted, or after `milliseconds`.
   */
  async waitUntilEnded(deployId: string, milliseconds: number): Promise<void> {
    await this.watch(deployId, milliseconds, (row) => !isUnfinished(row));
  }

  private async watch(
    deployId: string,
    milliseconds: number,
    isEnough: (row: DeployRow) => boolean,
  ): Promise<DeployRow | null> {
    const deadline = Date.now() + milliseconds;
    for (;;) {
      const change = this.nextChange(deployId);
      try {
        const [row] = await this.dataSource.query<DeployRow[]>(
          `SELECT ${DEPLOY_COLUMNS} FROM deploys WHERE deploy_id = $1`,
          [deployId],
        );
        if (!row || isEnough(row) || Date.now() >= deadline) return row ?? null;
        await Promise.race([change.promise, delay(Math.min(POLL_EVERY_MS, deadline - Date.now()))]);
      } finally {
        change.forget();
      }
    }
  }

  private nextChange(deployId: string): { promise: Promise<void>; forget: () => void } {
    let wake: () => void = () => undefined;
    const promise = new Promise<void>((resolve) => (wake = resolve));
    const waiting = this.waiting.get(deployId) ?? new Set();
    this.waiting.set(deployId, waiting.add(wake));
    const forget = () => {
      waiting.delete(wake);
      if (!waiting.size && this.waiting.get(deployId) === waiting) this.waiting.delete(deployId);
    };
    return { promise, forget };
  }
}

const isSettled = (deploy: DeployRow, seen: DeployRow): boolean =>
  isUnfinished(deploy)
    ? deploy.failed_attempts > seen.failed_attempts
    : deploy.status !== 'success' || deploy.released_at !== null;
