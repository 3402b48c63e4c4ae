import { StoreErrors } from '@platform/extension-sdk/runtime';
import { DOCUMENT_COLUMNS, type DocumentRow } from './documents.js';
import type { Statement } from './document-selection.js';

/** What the documents of one page may have together; the first one is always on it. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export interface PageRequest {
  limit: number;
  /** What is sorted by, as `readOrder` understands it. Ids break ties. */
  orderBy: string;
  cursor: string | null;
}

export interface PageRow extends DocumentRow {
  /** The text of what it was sorted by. */
  position: string;
  /** How many there were up to one more than the limit. */
  found: number;
}

/** The documents of `condition` in order, until there are enough or they have too many bytes. Gives `PageRow`s. */
export function pageOf(condition: Statement, { limit, orderBy, cursor }: PageRequest): Statement {
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

const COLUMNS: Record<string, Order['type']> = { created_at: 'timestamptz', updated_at: 'timestamptz', id: 'text', user_id: 'text' };

/** A column, or else a field of the data, in which what is missing counts as null; `-` before it reverses. */
function readOrder(orderBy: unknown, values: unknown[]): Order {
  // Of a handler in JavaScript nobody has checked it.
  if (typeof orderBy !== 'string') throw StoreErrors.orderInvalid();
  const [direction, field] = orderBy.startsWith('-') ? (['DESC', orderBy.slice(1)] as const) : (['ASC', orderBy] as const);
  if (!/^[^\p{Cc}\p{Surrogate}]{1,200}$/u.test(field)) throw StoreErrors.orderInvalid();
  const type = Object.hasOwn(COLUMNS, field) ? COLUMNS[field] : undefined;
  if (type) return { expression: field, type, direction };
  return { expression: `coalesce(data -> $${values.push(field)}::text, 'null')`, type: 'jsonb', direction };
}

/** It carries what the last document was sorted by, so that the next page begins after it even when it is gone. */
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
