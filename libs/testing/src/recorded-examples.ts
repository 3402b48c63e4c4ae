import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExampleNormalizer } from './example-normalizer.js';

/** A request and its answer. */
export interface Exchange {
  method: string;
  /** Path without the query. */
  path: string;
  /** Request body; undefined if there was none. */
  sent?: unknown;
  status: number;
  /** Media type without parameters; empty if there was no body. */
  type: string;
  body: unknown;
}

interface Recorded {
  request?: unknown;
  status: number;
  /** Media type of the answer, unless it is JSON. */
  type?: string;
  response?: unknown;
}

const JSON_TYPE = 'application/json';
/** Longer texts, such as pages, are cut at this length. */
const LONGEST_TEXT = 1_200;
/** Printable ASCII and typographic quotes. */
const PLAIN = /^[ -~“”’…–×]*$/;
/** Ids that `newId('x')` made, and path traversals. */
const MADE_UP = /"x_[0-9a-z]{26}"|%2e%2e|\.\.\//i;
const UNWANTED = 1_000;
/** Media types without examples: a stream has no end, and a schema is always the same. */
const LEFT_OUT = new Set(['text/event-stream', 'application/schema+json']);

/**
 * Records requests and answers of tests as examples for a service's OpenAPI document. A spec that
 * runs with `RECORD_EXAMPLES=1` adds missing examples to `docs/openapi/examples`. It uses the
 * successful request of each route with the most content. To record an example again, first delete
 * it from the file.
 */
export class RecordedExamples {
  private readonly recorded: Record<string, Recorded> = {};
  /** Content score of each recorded example. */
  private readonly worths = new Map<string, number>();
  private readonly routes: { method: string; path: string; takesBody: boolean; pattern: RegExp }[];

  private constructor(private readonly service: string) {
    const document = JSON.parse(readFileSync(documentOf(service), 'utf8')) as {
      paths: Record<string, Record<string, object>>;
    };
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

  /**
   * Starts to record examples for a service. Null unless RECORD_EXAMPLES is 1 and the service has
   * an exported OpenAPI document.
   */
  static forService(service = ''): RecordedExamples | null {
    const isWanted = process.env['RECORD_EXAMPLES'] === '1' && existsSync(documentOf(service));
    return isWanted ? new RecordedExamples(service) : null;
  }

  /**
   * Records a successful exchange if it has a higher content score than the earlier ones of its
   * route. The last `chosen` exchange always wins.
   */
  record({ method, path, sent, status, type, body }: Exchange, { chosen = false } = {}): void {
    const route = this.routes.find((one) => one.method === method && one.pattern.test(path));
    if (!route || status >= 300 || LEFT_OUT.has(type)) return;
    const key = `${method} ${route.path}`;
    const worth = chosen ? Infinity : computeScore(sent, body);
    if (worth < Infinity && worth <= (this.worths.get(key) ?? -Infinity)) return;
    this.worths.set(key, worth);
    const steady = new ExampleNormalizer();
    this.recorded[key] = {
      ...(route.takesBody && sent !== undefined && { request: steady.normalize(sent) }),
      status,
      ...(type && type !== JSON_TYPE && { type }),
      ...(type && { response: shortened(steady.normalize(body)) }),
    };
  }

  /**
   * Adds the recorded examples to the file of the service. Examples that the file has already stay.
   */
  save(): void {
    const file = `docs/openapi/examples/${this.service}.json`;
    const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Recorded>) : {};
    const all = Object.entries({ ...this.recorded, ...before }).sort(([one], [other]) => (one < other ? -1 : 1));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  }
}

/**
 * Content score: number of keys with a value. Failed calls, generated texts and made-up names get
 * a lower score than any other exchange.
 */
function computeScore(sent: unknown, body: unknown): number {
  const values = Object.values(sent ?? {}).filter((value) => value !== null && value !== '');
  const text = JSON.stringify([sent, body]);
  const isOdd = !PLAIN.test(text) || MADE_UP.test(text) || text.includes('"status":"error"');
  return values.length - (isOdd ? UNWANTED : 0);
}

const documentOf = (service: string): string => `docs/openapi/${service}.json`;

const countOf = (path: string): number => path.split('{').length;

/**
 * Pattern that matches the paths of a route. A parameter called `path` can contain slashes, others
 * cannot.
 */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, (_all, name) => (name === 'path' ? '.+' : '[^/]+'))}$`,
  );

const shortened = (body: unknown): unknown =>
  typeof body === 'string' && body.length > LONGEST_TEXT ? `${body.slice(0, LONGEST_TEXT)}…` : body;
