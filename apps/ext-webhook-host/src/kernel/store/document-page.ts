import { StoreErrors } from '@platform/extension-sdk/runtime';
import { DOCUMENT_COLUMNS, type DocumentRow } from './documents.js';
import type { Statement } from './document-selection.js';

/** Size of the documents of one page together. The first one is always included. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export interface PageRequest {
  limit: number;
  /** Sort field in the form of `readOrder`. Ids break ties. */
  orderBy: string;
  cursor: string | null;
}

export interface PageRow extends DocumentRow {
  /** Sort value of the row, as text. */
  position: string;
  /** Number of matching rows, at most one more than the limit. */
  found: number;
}

/**
 * Statement for the documents of `condition` in order, until the limit or the size of a page (4
 * MiB) is reached. Its rows are `PageRow`s.
 *
 * @throws ExtensionError STORE_ORDER_INVALID if `orderBy` is not a string of 1 to 200 characters
 * without control characters; STORE_CURSOR_INVALID if the cursor is damaged or of another order.
 */
export function pageStatement(condition: Statement, { limit, orderBy, cursor }: PageRequest): Statement {
  const values = [...condition.values];
  const { expression, type, direction } = readOrder(orderBy, values);
  const conditions = [condition.text];
  if (cursor !== null) {
    const [position, id] = readCursor(cursor, orderBy);
    const isAfter = direction === 'ASC' ? '>' : '<';
    conditions.push(`(${expression}, id) ${isAfter} ($${values.push(position)}::${type}, $${values.push(id)}::text)`);
  }
  const order = `sort ${direction}, id ${direction}`;
  const text = `
    SELECT ${DOCUMENT_COLUMNS}, sort::text AS position, found
    FROM (
      SELECT *, count(*) OVER ()::int AS found, row_number() OVER in_order AS place, sum(bytes) OVER in_order - bytes AS bytes_before
      FROM (
        SELECT *, ${expression} AS sort FROM documents WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${limit + 1}
      ) AS candidates
      WINDOW in_order AS (ORDER BY ${order})
    ) AS measured
    WHERE place <= ${limit} AND bytes_before < ${MAX_PAGE_BYTES}
    ORDER BY place`;
  return { text, values };
}

interface Order {
  expression: string;
  type: 'timestamptz' | 'text' | 'jsonb';
  direction: 'ASC' | 'DESC';
}

const COLUMNS: Record<string, Order['type']> = {
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  id: 'text',
  user_id: 'text',
};

/**
 * Parses a sort field: a column, or a field of the data, in which a missing value counts as null. A
 * leading `-` reverses the order. Adds the name of a field of the data to `values`.
 *
 * @throws ExtensionError STORE_ORDER_INVALID if it is not a string of 1 to 200 characters without
 * control characters.
 */
function readOrder(orderBy: unknown, values: unknown[]): Order {
  // JavaScript handlers can pass any type.
  if (typeof orderBy !== 'string') throw StoreErrors.orderInvalid();
  const [direction, field] = orderBy.startsWith('-')
    ? (['DESC', orderBy.slice(1)] as const)
    : (['ASC', orderBy] as const);
  if (!/^[^\p{Cc}\p{Surrogate}]{1,200}$/u.test(field)) throw StoreErrors.orderInvalid();
  const type = Object.hasOwn(COLUMNS, field) ? COLUMNS[field] : undefined;
  if (type) return { expression: field, type, direction };
  return { expression: `coalesce(data -> $${values.push(field)}::text, 'null')`, type: 'jsonb', direction };
}

/**
 * Makes the cursor for the page after a row. It contains the sort value and the id of the row, so
 * that the next page begins after it even if the document was deleted.
 */
export const writeCursor = (orderBy: string, { position, id }: PageRow): string =>
  Buffer.from(JSON.stringify([orderBy, position, id])).toString('base64url');

function readCursor(cursor: string, orderBy: string): [position: string, id: string] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw StoreErrors.cursorInvalid();
  }
  const [order, position, id] = Array.isArray(parts) ? (parts as unknown[]) : [];
  if (order !== orderBy || typeof position !== 'string' || typeof id !== 'string') throw StoreErrors.cursorInvalid();
  return [position, id];
}
