import type { Side } from './comparison.js';
import type { Platform } from '../platform/platform.js';

/** A path of the gateway against the least that it could cost. */
export interface Measurement {
  subject: string;
  baseline: string;
  /** The ratio that it has to reach; null where it is only worth knowing. */
  bar: number | null;
  prepare(platform: Platform, gatewayUrl: string): Promise<Sides> | Sides;
}

export interface Sides {
  baseline: Side;
  subject: Side;
  /** Ends what `prepare` started. */
  stop?: () => unknown;
}
