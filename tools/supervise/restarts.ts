import { setTimeout as delay } from 'node:timers/promises';

export interface RestartEvents {
  /** Prints a line in the terminal. */
  report(text: string): void;
  /** Reports that the process cannot be kept running. */
  giveUp(error: unknown): void;
}

export interface Restartable {
  name: string;
  start(): Promise<void>;
  /** Error for the user if it starts well but keeps ending. */
  explain(how: string): Error;
}

const STEADY_MS = 30_000;
const MAXIMUM_QUICK_FAILURES = 5;
const FIRST_PAUSE_MS = 250;

/**
 * Restarts a process that ended unexpectedly, with growing pauses. Gives up if it keeps ending soon
 * after its start.
 */
export class Restarts {
  private quickFailures = 0;

  constructor(
    private readonly subject: Restartable,
    private readonly events: RestartEvents,
  ) {}

  /** `isWanted` returns false after the process was stopped. */
  async restart(how: string, startedAt: number, isWanted: () => boolean): Promise<void> {
    const { name } = this.subject;
    if (Date.now() - startedAt > STEADY_MS) this.quickFailures = 0;
    this.events.report(`${name} ended (${how}); restarting it`);
    let failure: unknown;
    while (++this.quickFailures <= MAXIMUM_QUICK_FAILURES) {
      await delay(FIRST_PAUSE_MS * 2 ** (this.quickFailures - 1));
      if (!isWanted()) return;
      try {
        await this.subject.start();
        this.events.report(`${name} is up again`);
        return;
      } catch (error) {
        failure = error;
      }
    }
    if (isWanted()) this.events.giveUp(failure ?? this.subject.explain(how));
  }
}
