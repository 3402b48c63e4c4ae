import type { Platform } from './platform/platform.js';
import type { Table } from './table.js';

export interface Context {
  platform: Platform;
  /** How often each side of a comparison is measured. */
  rounds: number;
  /** How many rows a large table has, where one is to be measured with another number than usual. */
  rows?: number | undefined;
  /** Says what goes on. */
  progress: (text: string) => void;
}

/** One thing that the bench measures, independently of all others, and once more on the same platform where it missed a bar. */
export interface Measurement {
  title: string;
  measure(context: Context): Promise<Result>;
}

export interface Result {
  /** At the end, the rows of all tables with the same head stand in one. */
  table?: Table;
  text?: string;
  /** Whether it reached its bars; true where it has none. */
  isReached: boolean;
  /** Every number that was measured. */
  figures: readonly number[];
}
