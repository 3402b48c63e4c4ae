import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const LINES_SHOWN = 12;

/** Output of one process over all its restarts. The log of the previous run is kept beside it. */
export class LogFile {
  private startOfProcess = 0;

  constructor(readonly path: string) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (existsSync(path)) renameSync(path, path.replace(/\.log$/, '.previous.log'));
  }

  /**
   * Opens the file for a new process. The descriptor is closed after `use`, which must have passed
   * it on.
   */
  open<T>(use: (descriptor: number) => T): T {
    const descriptor = openSync(this.path, 'a', 0o600);
    this.startOfProcess = statSync(this.path).size;
    try {
      return use(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** First lines of the latest process that are not JSON log entries. */
  plainLines(): string[] {
    const lines = readFileSync(this.path).subarray(this.startOfProcess).toString().split('\n');
    return lines.filter((line) => line.trim() && !line.startsWith('{"')).slice(0, LINES_SHOWN);
  }
}
