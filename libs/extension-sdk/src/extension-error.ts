export interface ExtensionErrorOptions {
  /** Whether the same call may succeed when it is tried again later. */
  retryable?: boolean;
  /** What a program needs beside the code; it reaches the extension, so nothing internal and nothing secret. */
  details?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * A failure that an extension may see, catch and pass on. `code` is stable and written like the error codes of function results
 * (`STORE_CONFLICT`); `message` is for the extension's developer. Everything else that is thrown is a fault of the platform, of which
 * an extension learns nothing.
 */
export class ExtensionError extends Error {
  override name = 'ExtensionError';
  readonly retryable: boolean;
  readonly details: Record<string, unknown>;

  constructor(
    readonly code: string,
    message: string,
    { retryable = false, details = {}, cause }: ExtensionErrorOptions = {},
  ) {
    super(message, { cause });
    this.retryable = retryable;
    this.details = details;
  }
}
