import { nextTime } from '@platform/app-document';
import { sha256 } from '@platform/platform';

const MAX_JITTER_MS = 10_000;

/**
 * How long after its times a schedule begins: always the same, different for each, at most 10 s and a tenth of the time to the time after.
 */
export function jitterMs(appId: string, name: string, cron: string, at: Date): number {
  const after = nextTime(cron, at);
  const most = after ? Math.min(MAX_JITTER_MS, (after.getTime() - at.getTime()) / 10) : MAX_JITTER_MS;
  const share = sha256(`${appId}\n${name}`).readUInt32BE() / 2 ** 32;
  return Math.floor(most * share);
}
