import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteExpired, type ExpiredRows } from './expired-rows.js';
import { runInTurn } from './run-in-turn.js';

/** Deletes a batch of expired rows, at most `SWEEP_BATCH`, and returns their number. */
type ExpiredBatch = () => Promise<number>;

/**
 * Deletes expired rows. Each feature registers the rows of its own tables; the service sweeps all
 * of them at intervals.
 */
@Injectable()
export class RetentionService {
  private readonly preparations: (() => Promise<unknown>)[] = [];
  private readonly batches: ExpiredBatch[] = [];

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Adds rows that expire, or a function that deletes a batch of them and returns their number.
   * Call it in the constructor of a provider.
   */
  registerExpiredRows(...expired: (ExpiredRows | ExpiredBatch)[]): void {
    for (const one of expired)
      this.batches.push(typeof one === 'function' ? one : () => deleteExpired(this.dataSource, one));
  }

  /**
   * Adds work that each sweep does once, before it deletes rows. If it fails, the sweep fails. Call
   * it in the constructor of a provider.
   */
  registerPreparation(work: () => Promise<unknown>): void {
    this.preparations.push(work);
  }

  /**
   * Runs the work of `registerPreparation`, then deletes expired rows, a batch of each registration
   * in turn, so that none waits for another. Returns true when no batch was full any more: then
   * only rows that are locked at the moment can be left. Returns false if a batch was still full
   * after 10 seconds.
   *
   * @throws the first error of a preparation or a batch.
   */
  async deleteExpiredRows(): Promise<boolean> {
    for (const prepare of this.preparations) await prepare();
    return runInTurn(this.batches);
  }
}
