import { ApiError, isTransient } from '@platform/client';

/**
 * Provides the `Idempotency-Key` of a user's request. Retries of the same request have the same
 * key, so that it runs once. A different request, or one after a final answer, gets a new key.
 */
export class Attempt {
  private current: { what: string; key: string } | null = null;
  private isUnderWay = false;

  /**
   * Returns the key to send: the key of the last request if that had the same body and no final
   * answer, otherwise a new one. Null if a request is running, for example at the second click
   * before the page shows progress.
   */
  begin(body: unknown): string | null {
    if (this.isUnderWay) return null;
    this.isUnderWay = true;
    const what = JSON.stringify(body);
    if (this.current?.what !== what) this.current = { what, key: crypto.randomUUID() };
    return this.current.key;
  }

  /**
   * Ends the running request. After a final answer, the next request gets a new key.
   *
   * @param error null for success.
   */
  answered(error: Error | null): void {
    this.isUnderWay = false;
    if (isFinal(error)) this.current = null;
  }
}

/**
 * True if the answer is final for this request: success, or a refusal that a retry cannot change.
 * Not final are 401, 403, `idempotency.in_progress`, temporary failures and errors that no answer
 * of the platform caused. Answers 401 and 403 are not stored by the platform, so the request may
 * have run before.
 */
export const isFinal = (error: Error | null): boolean =>
  error === null ||
  (error instanceof ApiError &&
    ![401, 403].includes(error.status) &&
    !isTransient(error) &&
    error.code !== 'idempotency.in_progress');
