/** Ends the start with one line for the person at the terminal: what is wrong, and what to do about it. */
export class StartError extends Error {
  override name = 'StartError';

  constructor(
    message: string,
    /** Shown above the message: what a process printed before it failed. */
    readonly output = '',
  ) {
    super(message);
  }
}
