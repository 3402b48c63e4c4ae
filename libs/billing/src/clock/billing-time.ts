import { violatedConstraint, type Row } from '@platform/persistence';
import type { DataSource } from 'typeorm';
import type { BillingClock } from './billing-clock.entity.js';

const FIXED_CHECK = 'billing_clock_fixed_check';

/**
 * State of the billing clock. `ahead` is an interval as PostgreSQL writes it; `is_fixed` is true if
 * the clock cannot be moved.
 */
export type BillingTime = { ahead: string; is_fixed: boolean; now: Date };

export async function readBillingTime(dataSource: DataSource): Promise<BillingTime> {
  const [time] = await dataSource.query<[BillingTime]>(
    'SELECT ahead::text, is_fixed, billing_now() AS now FROM billing_clock',
  );
  return time;
}

/**
 * Sets how far the billing time, by which credits expire and plans renew, is ahead of the real
 * time. With `isMore` it adds to the current distance.
 *
 * @param ahead interval, for example `32 days`
 * @throws Error if a gateway in production has run on this database; only the distance 0 is allowed
 * then.
 */
export async function moveBillingTime(dataSource: DataSource, ahead: string, { isMore = false } = {}): Promise<void> {
  try {
    await dataSource.query(`UPDATE billing_clock SET ahead = CASE WHEN $2 THEN ahead ELSE '0' END + $1::interval`, [
      ahead,
      isMore,
    ]);
  } catch (error) {
    if (isFixed(error))
      throw new Error('A gateway in production has run on this database, so its billing time cannot be moved.', {
        cause: error,
      });
    throw error;
  }
}

/**
 * Fixes the billing clock for production: the database refuses to move it from now on.
 *
 * @throws Error if the clock is already ahead.
 */
export async function lockBillingClock(dataSource: DataSource): Promise<void> {
  try {
    await dataSource.query('UPDATE billing_clock SET is_fixed = true WHERE NOT is_fixed');
  } catch (error) {
    if (!isFixed(error)) throw error;
    const [{ ahead }] = await dataSource.query<[Row<BillingClock, 'ahead'>]>('SELECT ahead::text FROM billing_clock');
    throw new Error(
      `The billing time is ahead by ${ahead}, which production does not allow. Reset it with npm run billing:clock -- --reset`,
      { cause: error },
    );
  }
}

const isFixed = (error: unknown): boolean => violatedConstraint(error) === FIXED_CHECK;
