import { truncateText } from '@platform/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandProcess } from '../terminal/command-process.js';
import type { Computer } from '../terminal/computer.js';

const PATIENCE_MS = 30_000;
const POLL_MS = 50;

interface LiveEvent {
  id: string;
  type: string;
  payload: Record<string, unknown>;
}

/** Output of `platform events tail` in the background of the tour. */
export class LiveEvents {
  /** Reason why the command ended; it should not end. */
  private end: string | null = null;
  private readonly events: LiveEvent[] = [];
  private readonly expected: { type: string; payload: Record<string, unknown> }[] = [];

  private constructor(
    private readonly command: CommandProcess,
    private readonly print: (line: string) => void,
  ) {}

  /** Starts the command and waits until it shows new events. */
  static async start(computer: Computer, print: (line: string) => void): Promise<LiveEvents> {
    const command = computer.start('events tail --json');
    const live = new LiveEvents(command, print);
    command.onLine((line) => live.take(JSON.parse(line) as LiveEvent));
    void command.exited.then((code) => (live.end = `platform events tail ended with ${code}: ${command.stderr}`));
    await live.until('stream of events', () => command.stderr !== '');
    return live;
  }

  /**
   * Expects one event of this type with these values in its payload, which the steps of the tour
   * cause.
   */
  expect(type: string, payload: Record<string, unknown>): void {
    this.expected.push({ type, payload });
  }

  /** @throws Error if an expected event is missing or any event came twice. */
  async check(): Promise<void> {
    for (const { type, payload } of this.expected) {
      const found = () =>
        this.events.filter(
          (event) =>
            event.type === type && Object.entries(payload).every(([key, value]) => event.payload[key] === value),
        );
      await this.until(`event ${type} ${JSON.stringify(payload)}`, () => found().length > 0);
      if (found().length > 1) throw new Error(`The event ${type} came ${found().length} times.`);
    }
    if (new Set(this.events.map(({ id }) => id)).size < this.events.length) throw new Error('An event came twice.');
    this.print(
      `   ${this.events.length} events came, and the ${this.expected.length} expected ones are among them, each once`,
    );
  }

  async stop(): Promise<void> {
    this.command.kill('SIGTERM');
    await this.command.exited;
  }

  private take(event: LiveEvent): void {
    this.events.push(event);
    this.print(`   ⚡ ${event.type} ${truncateText(JSON.stringify(event.payload), 100)}`);
  }

  private async until(what: string, isThere: () => boolean): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!isThere()) {
      if (this.end !== null) throw new Error(this.end);
      if (Date.now() > deadline) throw new Error(`There was no ${what}.`);
      await delay(POLL_MS);
    }
  }
}
