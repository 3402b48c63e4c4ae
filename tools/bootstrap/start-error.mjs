/** Ends the start with a one-line message for the user. */
export class StartError extends Error {
  /** @override */
  name = 'StartError';

  /**
   * @param {string} message what is wrong and what to do about it
   * @param {string} [output] what a failed command printed, shown above the message
   */
  constructor(message, output = '') {
    super(message);
    this.output = output;
  }
}

/** Errors with a message for the user. Any other error is a bug and shows its stack. */
const PLAIN = ['StartError', 'EmbeddedPostgresError', 'ConfigError'];

/**
 * @param {unknown} error
 * @returns {{ message: string, output: string }}
 */
export function describe(error) {
  if (!(error instanceof Error)) return { message: String(error), output: '' };
  if (!PLAIN.includes(error.name)) return { message: error.stack ?? error.message, output: '' };
  return { message: error.message, output: 'output' in error ? String(error.output).trimEnd() : '' };
}
