import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SteadyForm } from './steady-form.js';

/** A request that was sent and the answer that came. */
export interface Exchange {
  method: string;
  /** Without the query. */
  path: string;
  /** Undefined for none. */
  sent?: unknown;
  status: number;
  /** Without parameters; empty for none. */
  type: string;
  body: unknown;
}

interface Recorded {
  request?: unknown;
  status: number;
  /** Of the answer, where it is another than JSON. */
  type?: string;
  response?: unknown;
}

const JSON_TYPE = 'application/json';
/** Longer texts, such as whole pages, say no more than their beginning. */
const LONGEST_TEXT = 1_200;
/** Printable ASCII, and quotes of texts for people. */
const PLAIN = /^[ -~“”’…–×]*$/;
/** As `newId('x')` makes names. */
const MADE_UP = /"x_[0-9a-z]{26}"|%2e%2e|\.\.\//i;
const UNWANTED = 1_000;
/** What is no example: a stream has no end, and a schema is what it is. */
const LEFT_OUT = new Set(['text/event-stream', 'application/schema+json']);

/**
 * What tests have sent and got, for the examples of a service's document. A spec that runs with `RECORD_EXAMPLES=1` adds to `docs/openapi/examples` what has no example
 * yet, by that request of each route that was answered well and says most; to record one anew, take it out of the file first.
 */
export class RecordedExamples {
  private readonly recorded: Record<string, Recorded> = {};
  /** Of what is recorded, how much it says. */
  private readonly worths = new Map<string, number>();
  private readonly routes: { method: string; path: string; takesBody: boolean; pattern: RegExp }[];

  private constructor(private readonly service: string) {
    const document = JSON.parse(readFileSync(documentOf(service), 'utf8')) as { paths: Record<string, Record<string, object>> };
    this.routes = Object.entries(document.paths)
      .sort(([one], [other]) => countOf(one) - countOf(other)) // `/v1/users/me` before `/v1/users/{user_id}`
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({
          method: method.toUpperCase(),
          path,
          takesBody: 'requestBody' in operation,
          pattern: patternOf(path),
        })),
      );
  }

  /** Null unless this run records. */
  static of(service = ''): RecordedExamples | null {
    const isWanted = process.env['RECORD_EXAMPLES'] === '1' && existsSync(documentOf(service));
    return isWanted ? new RecordedExamples(service) : null;
  }

  /** Of a route that which says most counts, the first of such, and the last that is `chosen`. */
  note({ method, path, sent, status, type, body }: Exchange, { chosen = false } = {}): void {
    const route = this.routes.find((one) => one.method === method && one.pattern.test(path));
    if (!route || status >= 300 || LEFT_OUT.has(type)) return;
    const key = `${method} ${route.path}`;
    const worth = chosen ? Infinity : worthOf(sent, body);
    if (worth < Infinity && worth <= (this.worths.get(key) ?? -Infinity)) return;
    this.worths.set(key, worth);
    const steady = new SteadyForm();
    this.recorded[key] = {
      ...(route.takesBody && sent !== undefined && { request: steady.of(sent) }),
      status,
      ...(type && type !== JSON_TYPE && { type }),
      ...(type && { response: shortened(steady.of(body)) }),
    };
  }

  write(): void {
    const file = `docs/openapi/examples/${this.service}.json`;
    const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Recorded>) : {};
    const all = Object.entries({ ...this.recorded, ...before }).sort(([one], [other]) => (one < other ? -1 : 1));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  }
}

/** As many as it has keys with a value; less than any other what a function has failed with, what generators write, and what only has a name that was made up. */
function worthOf(sent: unknown, body: unknown): number {
  const values = Object.values(sent ?? {}).filter((value) => value !== null && value !== '');
  const text = JSON.stringify([sent, body]);
  const isOdd = !PLAIN.test(text) || MADE_UP.test(text) || text.includes('"status":"error"');
  return values.length - (isOdd ? UNWANTED : 0);
}

const documentOf = (service: string): string => `docs/openapi/${service}.json`;

const countOf = (path: string): number => path.split('{').length;

/** What comes last may have slashes in it where it is called `path`. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, (_all, name) => (name === 'path' ? '.+' : '[^/]+'))}$`);

const shortened = (body: unknown): unknown =>
  typeof body === 'string' && body.length > LONGEST_TEXT ? `${body.slice(0, LONGEST_TEXT)}…` : body;
