/** Ends the start with one line for the user: the problem and the next step. */
export class StartError extends Error {
  override name = 'StartError';

  constructor(
    message: string,
    /** Output of a process before it failed, shown above the message. */
    readonly output = '',
  ) {
    super(message);
  }
}
