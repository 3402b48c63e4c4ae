import { Errors, Places } from '@platform/platform';

const PLACES = { slots: 256, most: 1_000, perApp: 1, perAsker: 1, waitMs: 0, waiting: 0, mostWaiting: 0 };
const RETRY_AFTER_SECONDS = 1;

const oneIsUnderWay = (): Error =>
  Errors.limited('rate_limited', 'Another such request is under way. Try again when it is answered.', RETRY_AFTER_SECONDS);

/**
 * Reads of one kind that look at many rows: each user, or tenant, has one under way at a process, so that nobody takes all connections to the database.
 */
export class HeavyReads {
  private readonly places = new Places(PLACES, oneIsUnderWay);

  /** @throws AppError 429 while another one of the owner is under way. */
  one<T>(ownerId: string, read: () => Promise<T>): Promise<T> {
    return this.places.with({ app: ownerId, from: ownerId }, read);
  }
}
