import { until } from '@platform/testing';

const MARGIN_MS = 60_000;
const DAY_MS = 86_400_000;

/** Waits where midnight (UTC) is near, so that a test which counts by days or months begins and ends in the same one. */
export async function midnightIsFar(): Promise<void> {
  await until(() => Date.now() % DAY_MS < DAY_MS - MARGIN_MS);
}
