import { currentSpan, runAndEnd, type Span } from '@platform/platform';

type Query = (...statement: unknown[]) => unknown;
type Callback = (error: unknown, ...rest: unknown[]) => unknown;

const OPERATION = /^\s*([a-z]+)/i;
/**
 * The first table. FROM also stands before functions, and in IS DISTINCT FROM and extract(… FROM
 * …).
 */
const TABLE =
  /\b(?:into|update|(?<!\bdistinct\s+|\bextract\s*\(\s*\w+\s+)from(?!\s+(?:\w+\.)?\w+\s*\())\s+(?:"?\w+"?\.)?"?([a-z_]\w*)/i;

/**
 * Wraps a query function so that each statement of a traced request or job runs in its own span of
 * the trace, named after its operation and its first table. Values are not recorded. Outside of a
 * span, in a span with the maximum number of children, and for an object that runs itself, such as
 * a cursor, the statement runs without a span.
 */
export function traceQueries(query: Query): Query {
  return (...statement) => {
    const parent = currentSpan();
    const text = textOf(statement[0]);
    if (!parent?.takesChildren || text === undefined) return query(...statement);
    const span = beginQuery(parent, text);
    const callback = statement.at(-1);
    if (typeof callback === 'function') {
      const ended: Callback = (error, ...rest) => {
        span.end({ failed: Boolean(error) });
        return (callback as Callback)(error, ...rest);
      };
      return query(...statement.slice(0, -1), ended);
    }
    return runAndEnd(span, () => query(...statement) as Promise<unknown>);
  };
}

function beginQuery(parent: Span, text: string): Span {
  const operation = (OPERATION.exec(text)?.[1] ?? 'SQL').toUpperCase();
  const table = TABLE.exec(text)?.[1];
  return parent.child(table ? `${operation} ${table}` : operation, 'client', {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(table && { 'db.collection.name': table }),
  });
}

/** The SQL text of a statement; undefined for an object that runs itself, such as a cursor. */
function textOf(statement: unknown): string | undefined {
  if (typeof statement === 'string') return statement;
  if (typeof statement !== 'object' || statement === null || 'submit' in statement) return undefined;
  const { text } = statement as { text?: unknown };
  return typeof text === 'string' ? text : undefined;
}
