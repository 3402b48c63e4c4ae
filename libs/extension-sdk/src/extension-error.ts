export interface ExtensionErrorOptions {
  /** True if the same call can succeed later. */
  retryable?: boolean;
  /**
   * Data for programs, in addition to the code. Extensions can read it: it must not contain
   * internal or secret values.
   */
  details?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * An error that an extension can catch and throw. `code` is stable and has the form of the error
 * codes of function results (`STORE_CONFLICT`); `message` is for the developer of the extension.
 * Any other error is a fault of the platform, and the extension gets no details of it.
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
