/** Between the jobs of an owner that are put back; about one of them comes again so often. */
const STEP_MS = 250;
const LONGEST_MS = 120_000;

/**
 * Shares what a process works on at once among the owners of the jobs. However many jobs an owner has, there is room for another owner, as
 * long as there are fewer owners than slots.
 */
export class FairShare {
  private readonly running = new Map<string, number>();
  /** How many were put back since a job of the owner was over. */
  private readonly putBack = new Map<string, number>();

  constructor(private readonly slots: number) {}

  /** Null when a job of this owner may begin; `over` ends it. Otherwise after how many milliseconds it should come again. */
  begin(owner: string): number | null {
    const own = this.running.get(owner) ?? 0;
    const owners = this.running.size + (own ? 0 : 1);
    if (own < Math.max(1, Math.floor(this.slots / (owners + 1)))) {
      this.running.set(owner, own + 1);
      return null;
    }
    const times = (this.putBack.get(owner) ?? 0) + 1;
    this.putBack.set(owner, times);
    return Math.round(Math.min(LONGEST_MS, STEP_MS * times) * (0.75 + Math.random() / 4));
  }

  over(owner: string): void {
    const left = (this.running.get(owner) ?? 0) - 1;
    if (left > 0) this.running.set(owner, left);
    else this.running.delete(owner);
    this.putBack.delete(owner);
  }
}
