import { sha256 } from '@platform/platform';
import { CronExpressionParser } from 'cron-parser';

const MAX_JITTER_MS = 10_000;

/** The next time of a schedule after this one; null when there is none. */
export function nextTime(cron: string, after: Date): Date | null {
  return timesFrom(cron, after, (times) => times.next().toDate());
}

/** The last time of a schedule that is not after this one; null when there is none. */
export function lastTime(cron: string, upTo: Date): Date | null {
  const nextSecond = new Date((Math.floor(upTo.getTime() / 1_000) + 1) * 1_000);
  return timesFrom(cron, nextSecond, (times) => times.prev().toDate());
}

/**
 * How long after its times a schedule begins: always the same, different for each, at most 10 s and a tenth of the time to the time after.
 */
export function jitterMs(appId: string, name: string, cron: string, at: Date): number {
  const after = nextTime(cron, at);
  const most = after ? Math.min(MAX_JITTER_MS, (after.getTime() - at.getTime()) / 10) : MAX_JITTER_MS;
  const share = sha256(`${appId}\n${name}`).readUInt32BE() / 2 ** 32;
  return Math.floor(most * share);
}

type Times = ReturnType<typeof CronExpressionParser.parse>;

/** The parser gives up on times that never come, such as the 31st of February, by throwing. */
function timesFrom(cron: string, currentDate: Date, read: (times: Times) => Date): Date | null {
  try {
    return read(CronExpressionParser.parse(cron, { tz: 'UTC', currentDate }));
  } catch {
    return null;
  }
}
