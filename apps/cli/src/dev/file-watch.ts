import { once } from 'node:events';
import { existsSync, watch, type FSWatcher } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Editors write a file in several steps. */
const SETTLE_MS = 30;

/** Watches files, whether they are written to, replaced, removed or made. */
export class FileWatch {
  private files: ReadonlySet<string> = new Set();
  /** Of the folders, since a file that is replaced is another one. */
  private readonly watchers = new Map<string, FSWatcher>();
  private change = new AbortController();
  private firstAt = 0;
  private lastAt = 0;

  /** Aborts when a file changes after the last change that `settled` has told of. */
  get changed(): AbortSignal {
    return this.change.signal;
  }

  /** These files from now on, and no others. */
  watch(files: Iterable<string>): void {
    this.files = new Set([...files].map((file) => resolve(file)));
    const folders = new Set([...this.files].map((file) => dirname(file)));
    for (const [folder, watcher] of this.watchers) if (!folders.has(folder)) this.forget(folder, watcher);
    for (const folder of folders) if (!this.watchers.has(folder)) this.open(folder);
  }

  /** Resolves once files have changed and come to rest, with when the first of them did, in milliseconds since 1970. */
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
    if (!existsSync(folder)) return; // whoever reads the file says so
    const watcher = watch(folder, (_event, name) => {
      if (name === null || this.files.has(resolve(folder, name))) this.onChange();
    });
    watcher.on('error', () => this.forget(folder, watcher)); // the folder is gone
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
