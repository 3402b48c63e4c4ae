import { nextTime } from '@platform/app-document';
import { sha256 } from '@platform/platform';

const MAX_JITTER_MS = 10_000;

/**
 * Milliseconds after the scheduled time at which a run begins: a share of 10 s or, if that is less,
 * of a tenth of the time until the next run. The share comes from a hash of the app and the name,
 * so it is constant for each schedule.
 */
export function jitterMs(appId: string, name: string, cron: string, at: Date): number {
  const after = nextTime(cron, at);
  const most = after ? Math.min(MAX_JITTER_MS, (after.getTime() - at.getTime()) / 10) : MAX_JITTER_MS;
  const share = sha256(`${appId}\n${name}`).readUInt32BE() / 2 ** 32;
  return Math.floor(most * share);
}
