import { columnsOf, padded } from './columns.js';
import { printable } from './printable.js';

const GAP = '  ';
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
/** Invisible character. Between two right-to-left texts, it keeps their order in a terminal. */
const LEFT_TO_RIGHT_MARK = '\u200e';

/** Formats a table. Columns are as wide as their longest text. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map(printable));
  const widths = headings.map((_heading, at) => Math.max(...lines.map((line) => columnsOf(line[at] ?? ''))));
  return lines
    .map((line) =>
      line
        .map((text, at) => padded(RIGHT_TO_LEFT.test(text) ? text + LEFT_TO_RIGHT_MARK : text, widths[at] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}
