import { nextTime } from '@platform/app-document';
import { sha256 } from '@platform/platform';

const MAX_JITTER_MS = 10_000;

/**
 * Milliseconds after the scheduled time at which a run begins. Constant for each schedule and
 * different between schedules; at most 10 s, and at most a tenth of the time until the next run.
 */
export function jitterMs(appId: string, name: string, cron: string, at: Date): number {
  const after = nextTime(cron, at);
  const most = after ? Math.min(MAX_JITTER_MS, (after.getTime() - at.getTime()) / 10) : MAX_JITTER_MS;
  const share = sha256(`${appId}\n${name}`).readUInt32BE() / 2 ** 32;
  return Math.floor(most * share);
}
