import type { JsonValue } from '@platform/app-document';
import type { WebhookRequest as WebhookEvent } from '@platform/extension-sdk';
import { deeperThan, isHopByHop, SERVICE_HEADERS } from '@platform/platform';
import { isUtf8 } from 'node:buffer';

const MAX_JSON_DEPTH = 32;
/** What the platform's own services and its panel send each other, and browsers send to the panel's origin: none of it is for extensions. */
const INTERNAL_HEADERS: ReadonlySet<string> = new Set(['cookie', ...SERVICE_HEADERS]);

export interface WebhookRequest {
  method: string;
  /** The path with its query, as it was sent. */
  url: string;
  /** Names and values in turn, as Node.js has them. */
  rawHeaders: readonly string[];
  body: Buffer;
  /** Now unless told: a delivery of an inbox is worked on later than it came, and its signature is as old as it was then. */
  receivedAt?: Date;
}

/** What a webhook's handler is given. */
export function webhookEvent({ method, url, rawHeaders, body }: WebhookRequest): WebhookEvent {
  const [, query = ''] = /^[^?]*\??(.*)$/s.exec(url) ?? [];
  const event = { method, headers: webhookHeaders(rawHeaders), query_params: Object.fromEntries(new URLSearchParams(query)) };
  return lazily(event, {
    body: () => body.toString(),
    body_base64: () => body.toString('base64'),
    body_encoding: () => (isUtf8(body) ? 'utf-8' : 'base64'),
    json: () => jsonOf(body),
  });
}

/** Names in lower case; what comes several times is joined. Without what belongs to a connection or is the platform's own. */
export function webhookHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [(rawHeaders[at] as string).toLowerCase(), rawHeaders[at + 1] as string];
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  const connection = headers.get('connection');
  return Object.fromEntries([...headers].filter(([name]) => !INTERNAL_HEADERS.has(name) && !isHopByHop(name, connection)));
}

function jsonOf(body: Buffer): JsonValue {
  if (!isUtf8(body) || deeperThan(body, MAX_JSON_DEPTH)) return null;
  try {
    return JSON.parse(body.toString()) as JsonValue;
  } catch {
    return null;
  }
}

/** Adds properties that are made when they are first read, and then stay. */
function lazily<Known extends object, Added extends object>(
  known: Known,
  makers: { [Key in keyof Added]: () => Added[Key] },
): Known & Added {
  for (const [key, make] of Object.entries<() => unknown>(makers)) {
    Object.defineProperty(known, key, {
      enumerable: true,
      configurable: true,
      get() {
        const value = make();
        Object.defineProperty(known, key, { enumerable: true, value });
        return value;
      },
    });
  }
  return known as Known & Added;
}
