import { Errors, ConcurrencyLimit } from '@platform/platform';

const SLOTS = { slots: 256, maxSlots: 1_000, perApp: 1, perRequester: 1, waitMs: 0, waiting: 0, maxWaiting: 0 };
const RETRY_AFTER_SECONDS = 1;

const readInProgressError = (): Error =>
  Errors.limited(
    'rate_limited',
    'Your previous request of this kind is still running. Wait for its answer, then try again.',
    RETRY_AFTER_SECONDS,
  );

/**
 * Limits one kind of expensive read to one at a time per owner (a user or a tenant) in each
 * process, so that one owner cannot take all connections to the database.
 */
export class HeavyReadLimiter {
  private readonly places = new ConcurrencyLimit(SLOTS, readInProgressError);

  /**
   * Runs the read and returns its result.
   *
   * @param ownerId id of the user or the tenant for whom it reads.
   * @throws AppError 429 `rate_limited`, at once, while another read of the owner runs in this
   * process, or 1,000 reads of others run.
   */
  runExclusive<T>(ownerId: string, read: () => Promise<T>): Promise<T> {
    return this.places.runInSlot({ app: ownerId, from: ownerId }, read);
  }
}
