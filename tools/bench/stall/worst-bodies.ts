import { readFileSync } from 'node:fs';

/**
 * Size limit of bodies below `/v1/auth/`, where all public routes of the gateway with a body are.
 */
const BYTES = 64 * 1024;
const KEYS = 1_000;
const VALUES = 10_000;
const LEVELS = 30;
const WORDS = ['a', ' ', '\\u0430', '\u0430', 'e\u0301', '\u{1d49c}', '\uff41', '\u00fc.', '0', '%', '"\\', '\u3002'];

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  example?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
}

interface Operation {
  security?: unknown[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface OpenRoute {
  path: string;
  /** JSON bodies near the limits for bytes, keys and values, each unusual in another way. */
  bodies: string[];
}

/** Public routes of the gateway that accept a body, from its OpenAPI document. */
export function openRoutes(): OpenRoute[] {
  const { paths, components } = JSON.parse(readFileSync('docs/openapi/auth-gateway.json', 'utf8')) as Document;
  return Object.entries(paths).flatMap(([path, operations]) => {
    const { post } = operations;
    const content = post?.requestBody?.content['application/json'];
    // Excludes webhooks: the gateway parses them only after it has checked the signature.
    if (!content || post.security?.length || path.startsWith('/v1/webhooks/')) return [];
    const { properties = {} } = components.schemas[content.schema.$ref?.split('/').at(-1) ?? ''] ?? content.schema;
    return [{ path, bodies: worstBodies(properties) }];
  });
}

function worstBodies(properties: Record<string, Schema>): string[] {
  const names = Object.keys(properties);
  const room = Math.floor(BYTES / Math.max(1, names.length)) - 64;
  /** Object with the same value for every property, as JSON. */
  const all = (json: (name: string) => string) => `{${names.map((name) => `"${name}":${json(name)}`).join()}}`;
  const share = (count: number) => Math.floor(count / Math.max(1, names.length)) - 1;
  const list = (value: string, count: number) =>
    `[${Array.from({ length: Math.min(count, room / (value.length + 1)) }, () => value).join()}]`;
  const unknown = (count: number, length: number) =>
    `{${Array.from({ length: count }, (_value, at) => `"${String(at).padEnd(length, 'k')}":0`).join()}}`;
  const nested = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`;
  const levels = list(nested, share(VALUES) / (LEVELS + 1));
  const bodies = [
    all((name) => JSON.stringify(likely(name, properties[name] as Schema))),
    unknown(KEYS, 55), // the largest allowed number of keys
    unknown(BYTES / 10 - 1, 5), // more keys than allowed
    unknown(KEYS, 1).replace('"0":', '"__proto__":'),
    all(() => list('{}', share(VALUES) / 2)),
    all(() => list('0', share(VALUES))),
    all(() => list('""', share(VALUES))),
    all(() => list('{}', room)), // more values than allowed
    all(() => levels),
    '['.repeat(BYTES),
    '{"a":'.repeat(Math.floor(BYTES / 5)),
    '"'.repeat(BYTES),
    all(() => unknown(share(KEYS), 50)),
    ...WORDS.map((word) => all(() => text(word, room))),
    // Email addresses of the greatest length that is checked, in all kinds of letters.
    ...WORDS.map((word) =>
      all((name) =>
        properties[name]?.format === 'email' ? address(word) : JSON.stringify(likely(name, properties[name] as Schema)),
      ),
    ),
  ];
  if (bodies.some((body) => Buffer.byteLength(body) > BYTES)) throw new Error('A body is larger than the size limit.');
  return bodies;
}

/** Text of this many bytes, as JSON. */
function text(word: string, bytes: number): string {
  const written = word.startsWith('\\') ? word : JSON.stringify(word).slice(1, -1);
  return `"${written.repeat(Math.floor((bytes - 2) / Buffer.byteLength(written)))}"`;
}

function address(word: string): string {
  const part = (length: number) => word.repeat(Math.floor(length / word.length));
  return JSON.stringify(`${part(120)}@${part(110)}.example.com`).replaceAll('\\\\u', '\\u');
}

/** Plausible value of a property that belongs to no user. */
function likely(name: string, { type, example, default: fallback }: Schema): unknown {
  if (example !== undefined || fallback !== undefined) return example ?? fallback;
  if (type === 'boolean') return true;
  return name === 'code_challenge' ? 'a'.repeat(43) : 'x'.repeat(2_000);
}
