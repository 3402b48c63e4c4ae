/** Shortest time between two reloads. */
const PAUSE_MS = 1_000;

/**
 * Reloads data after events: at once for the first event, then together for all events during a
 * pause. Events that arrive during a reload cause another one.
 */
export class Refreshing {
  private readonly waiting = new Set<string>();
  private isRunning = false;

  constructor(
    private readonly refresh: (names: ReadonlySet<string>) => Promise<unknown>,
    private readonly pause: () => Promise<void> = () => new Promise((resolve) => window.setTimeout(resolve, PAUSE_MS)),
  ) {}

  add(names: readonly string[]): void {
    for (const name of names) this.waiting.add(name);
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.size) {
      const names = new Set(this.waiting);
      this.waiting.clear();
      await this.refresh(names).catch(() => undefined); // the page shows failed queries itself
      await this.pause();
    }
    this.isRunning = false;
  }
}
