import type { BenchPlatform } from './platform/bench-platform.js';
import type { Table } from './table.js';

export interface Context {
  platform: BenchPlatform;
  /** Number of measurements of each side of a comparison. */
  rounds: number;
  /** Number of rows of a large table, if it differs from the default. */
  rows?: number | undefined;
  /** Shows the current step. */
  progress: (text: string) => void;
}

/**
 * A measurement of the bench, independent of all others. It runs again on the same platform if it
 * missed a bar.
 */
export interface Measurement {
  title: string;
  measure(context: Context): Promise<Result>;
}

export interface Result {
  /** The summary joins all tables with the same head. */
  table?: Table;
  text?: string;
  /** True if it reached its bars, or has none. */
  isReached: boolean;
  /** All measured numbers. */
  figures: readonly number[];
}
