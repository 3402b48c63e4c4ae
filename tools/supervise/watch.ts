import { watch } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['apps', 'libs', 'tools'];
const SETTLE_MS = 200;

/**
 * Calls `update` after files change, until `stop` aborts: once for changes within 200 ms, and one
 * call at a time.
 */
export function watchSources(root: string, stop: AbortSignal, update: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined;
  let updates = Promise.resolve();
  const onChange = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      updates = updates.then(update);
    }, SETTLE_MS);
  };
  stop.addEventListener('abort', () => clearTimeout(timer));
  for (const folder of FOLDERS) watch(join(root, folder), { recursive: true, signal: stop }, onChange);
}
