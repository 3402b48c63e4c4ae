import { ApiError, isTransient } from '@platform/client';

/**
 * The `Idempotency-Key` of what somebody asks for. It is the same for each attempt of the same thing, so that it is done once; another thing, or one after an answer that is final, has a key of its own.
 */
export class Attempt {
  private current: { what: string; key: string } | null = null;
  private isUnderWay = false;

  /** The key to send it with; null where something is under way, as at the second of two clicks before the page shows that it is busy. */
  begin(body: unknown): string | null {
    if (this.isUnderWay) return null;
    this.isUnderWay = true;
    const what = JSON.stringify(body);
    if (this.current?.what !== what) this.current = { what, key: crypto.randomUUID() };
    return this.current.key;
  }

  /** @param error null for what was done */
  answered(error: Error | null): void {
    this.isUnderWay = false;
    if (isFinal(error)) this.current = null;
  }
}

/** Whether this is what the request is answered for good. An answer of 401 or 403 is not kept, and may follow one that was lost. */
export const isFinal = (error: Error | null): boolean =>
  error === null ||
  (error instanceof ApiError && ![401, 403].includes(error.status) && !isTransient(error) && error.code !== 'idempotency.in_progress');
