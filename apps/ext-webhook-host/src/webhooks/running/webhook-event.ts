import type { JsonValue } from '@platform/app-document';
import type { WebhookRequest as WebhookEvent } from '@platform/extension-sdk';
import { queryForms } from '@platform/extension-sdk/runtime';
import { isDeeperThan, isHopByHop, SERVICE_HEADERS } from '@platform/platform';
import { isUtf8 } from 'node:buffer';

const MAX_JSON_DEPTH = 32;
/**
 * Headers that the platform's own services and its panel send each other, and headers that browsers
 * send to the panel's origin. Extensions do not get them.
 */
const INTERNAL_HEADERS: ReadonlySet<string> = new Set(['cookie', ...SERVICE_HEADERS]);

export interface WebhookRequest {
  method: string;
  /** Path and query, as they were sent. */
  url: string;
  /** Names and values alternate, as in Node.js. */
  rawHeaders: readonly string[];
  body: Buffer;
  /**
   * Time of arrival; now by default. A delivery of an inbox is handled later, but the age of its
   * signature is measured at its arrival.
   */
  receivedAt?: Date;
}

/**
 * Makes the event that the handler of a webhook gets: method, headers and query of the request, and
 * the forms of its body, each computed at its first use.
 */
export function webhookEvent({ method, url, rawHeaders, body }: WebhookRequest): WebhookEvent {
  const [, query = ''] = /^[^?]*\??(.*)$/s.exec(url) ?? [];
  const event = { method, headers: webhookHeaders(rawHeaders), ...queryForms(query) };
  Object.defineProperty(event, BODY, { value: new BodyForms(body) });
  return Object.defineProperties(event, FORMS) as typeof event & BodyForms;
}

/**
 * Headers by lower-case name. Repeated ones are joined with `, `. Leaves out headers of the
 * connection, of the platform's own services and cookies.
 */
export function webhookHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [(rawHeaders[at] as string).toLowerCase(), rawHeaders[at + 1] as string];
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  const connection = headers.get('connection');
  for (const name of headers.keys())
    if (INTERNAL_HEADERS.has(name) || isHopByHop(name, connection)) headers.delete(name);
  return Object.fromEntries(headers);
}

/** Forms in which a handler can read the body, each computed at its first use. */
class BodyForms implements Pick<WebhookEvent, 'body' | 'body_base64' | 'body_encoding' | 'json'> {
  private text: string | undefined;
  private base64: string | undefined;
  private encoding: WebhookEvent['body_encoding'] | undefined;
  private parsed: JsonValue | undefined;

  constructor(private readonly bytes: Buffer) {}

  get body(): string {
    return (this.text ??= this.bytes.toString());
  }

  get body_base64(): string {
    return (this.base64 ??= this.bytes.toString('base64'));
  }

  get body_encoding(): WebhookEvent['body_encoding'] {
    return (this.encoding ??= isUtf8(this.bytes) ? 'utf-8' : 'base64');
  }

  /** The parsed body; null if it is not JSON in UTF-8, or is nested deeper than 32 levels. */
  get json(): JsonValue {
    if (this.parsed === undefined) this.parsed = jsonOf(this.bytes);
    return this.parsed;
  }
}

const BODY = Symbol('body');

/**
 * The forms as properties of an event. All events share the getters, because V8 makes a hidden
 * class for each object with its own getters.
 */
const FORMS = Object.fromEntries(
  (['body', 'body_base64', 'body_encoding', 'json'] as const).map((form) => [
    form,
    {
      enumerable: true,
      get(this: { [BODY]: BodyForms }) {
        return this[BODY][form];
      },
    },
  ]),
);

function jsonOf(body: Buffer): JsonValue {
  if (!isUtf8(body) || isDeeperThan(body, MAX_JSON_DEPTH)) return null;
  try {
    return JSON.parse(body.toString()) as JsonValue;
  } catch {
    return null;
  }
}
