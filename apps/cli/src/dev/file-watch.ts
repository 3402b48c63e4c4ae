import { once } from 'node:events';
import { existsSync, watch, type FSWatcher } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Time to wait after a change, since editors write a file in several steps. */
const SETTLE_MS = 30;

/** Watches files for writes, replacement, deletion and creation. */
export class FileWatch {
  private files: ReadonlySet<string> = new Set();
  /** Watchers of folders: a watcher of a file would not see its replacement. */
  private readonly watchers = new Map<string, FSWatcher>();
  private change = new AbortController();
  private firstAt = 0;
  private lastAt = 0;

  /** Signal that aborts at the next change of the files. `settled` replaces it with a new one. */
  get changed(): AbortSignal {
    return this.change.signal;
  }

  /** Replaces the set of watched files. */
  watch(files: Iterable<string>): void {
    this.files = new Set([...files].map((file) => resolve(file)));
    const folders = new Set([...this.files].map((file) => dirname(file)));
    for (const [folder, watcher] of this.watchers) if (!folders.has(folder)) this.forget(folder, watcher);
    for (const folder of folders) if (!this.watchers.has(folder)) this.open(folder);
  }

  /**
   * Resolves when files have changed and no change followed for 30 ms. Returns the time of the
   * first change, in milliseconds since 1970.
   */
  async settled(): Promise<number> {
    if (!this.changed.aborted) await once(this.changed, 'abort');
    for (let rest = SETTLE_MS; rest > 0; rest = this.lastAt + SETTLE_MS - Date.now()) await delay(rest);
    this.change = new AbortController();
    return this.firstAt;
  }

  close(): void {
    for (const [folder, watcher] of this.watchers) this.forget(folder, watcher);
  }

  private open(folder: string): void {
    if (!existsSync(folder)) return; // reading the file will report it
    const watcher = watch(folder, (_event, name) => {
      if (name === null || this.files.has(resolve(folder, name))) this.onChange();
    });
    watcher.on('error', () => this.forget(folder, watcher)); // the folder was deleted
    this.watchers.set(folder, watcher);
  }

  private forget(folder: string, watcher: FSWatcher): void {
    watcher.close();
    this.watchers.delete(folder);
  }

  private onChange(): void {
    this.lastAt = Date.now();
    if (this.changed.aborted) return;
    this.firstAt = this.lastAt;
    this.change.abort();
  }
}
