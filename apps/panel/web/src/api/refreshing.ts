/** Between two times that the same things are read anew. */
const PAUSE_MS = 1_000;

/** Has things read anew: at once for the first event, and together for those that come meanwhile. None is forgotten that comes while it is being read. */
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
      await this.refresh(names).catch(() => undefined); // the page shows what could not be read
      await this.pause();
    }
    this.isRunning = false;
  }
}
