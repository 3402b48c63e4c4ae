import { until } from '@platform/testing';

const MARGIN_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Waits if midnight (UTC) is near, so that a test that counts by day or month starts and ends in
 * the same one.
 */
export async function waitIfMidnightIsNear(): Promise<void> {
  await until(() => Date.now() % DAY_MS < DAY_MS - MARGIN_MS);
}
