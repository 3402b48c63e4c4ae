import type { Summary } from './comparison.js';
import { MOST_GROWTH, type Growth, type Sizes } from '../lists/growth.js';
import type { Measurement } from './measurement.js';
import { MOST_MEGABYTES, MOST_SECONDS, type Footprint } from '../services/services.js';

export interface Compared {
  measurement: Measurement;
  summary: Summary;
}

export const reachesBar = ({ measurement, summary }: Compared): boolean => summary.ratio >= (measurement.bar ?? 0);

/** What a service needs to be there; under load it may take more, which the table shows. */
export const isSmallEnough = ({ startSeconds, idleMegabytes }: Footprint): boolean =>
  startSeconds < MOST_SECONDS && idleMegabytes < MOST_MEGABYTES;

export const ratioTable = (compared: readonly Compared[]): string =>
  table(
    ['', 'against', 'ratio', 'spread', 'bar', '', 'per second'],
    compared.map((row) => {
      const { measurement, summary } = row;
      return [
        measurement.subject,
        measurement.baseline,
        summary.ratio.toFixed(2),
        `${summary.lowest.toFixed(2)}–${summary.highest.toFixed(2)}`,
        measurement.bar === null ? '' : `≥ ${measurement.bar.toFixed(2)}`,
        measurement.bar === null ? '' : mark(reachesBar(row)),
        `${summary.subject.toFixed(0)} of ${summary.baseline.toFixed(0)}`,
      ];
    }),
  );

export const footprintTable = (footprints: readonly Footprint[]): string =>
  table(
    ['', 'start-up', 'memory idle', 'under load', 'bar', ''],
    footprints.map((row) => [
      row.service,
      `${row.startSeconds.toFixed(2)} s`,
      `${row.idleMegabytes.toFixed(0)} MB`,
      `${row.loadedMegabytes.toFixed(0)} MB`,
      `< ${MOST_SECONDS} s, < ${MOST_MEGABYTES} MB`,
      mark(isSmallEnough(row)),
    ]),
  );

/** No list takes much longer because there is more that it does not show. */
export const staysFlat = ({ small, large, scans }: Growth): boolean => large <= MOST_GROWTH * small && scans.length === 0;

export const growthTable = (growths: readonly Growth[], { small, large }: Sizes): string =>
  table(
    ['', `at ${small.toLocaleString('en')}`, `at ${large.toLocaleString('en')}`, 'growth', 'bar', '', 'whole tables read'],
    growths.map((row) => [
      row.path,
      `${row.small.toFixed(1)} ms`,
      `${row.large.toFixed(1)} ms`,
      (row.large / row.small).toFixed(2),
      `≤ ${MOST_GROWTH}`,
      mark(staysFlat(row)),
      row.scans.join(', ') || 'none',
    ]),
  );

const mark = (reached: boolean): string => (reached ? '✓' : '✗');

/** The columns aligned: text to the left, figures to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_title, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const isFigure = (column: number) => rows.every((row) => /^[\d.]+( \w+)?$/.test(row[column] ?? ''));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (isFigure(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
