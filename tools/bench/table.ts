export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

export const mark = (reached: boolean): string => (reached ? '✓' : '✗');

/** Aligns the columns: text to the left, figures to the right. */
export function tableText({ head, rows }: Table): string {
  const lines = [head, ...rows];
  const widths = head.map((_title, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const isFigure = (column: number) => rows.every((row) => /^[\d.]+( \w+)?$/.test(row[column] ?? ''));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          isFigure(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

/** Joins tables with the same head, in the order of the first of each. */
export function joined(tables: readonly Table[]): Table[] {
  const byHead = new Map<string, { head: readonly string[]; rows: (readonly string[])[] }>();
  for (const { head, rows } of tables) {
    const key = head.join('\n');
    const table = byHead.get(key) ?? { head, rows: [] };
    table.rows.push(...rows);
    byHead.set(key, table);
  }
  return [...byHead.values()];
}
