import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ContentKind, ContentPart } from './content-part.js';
import { TENANT_KINDS } from './tenant-kinds.js';

const FOLDER = 'apps/auth-gateway/src';

/** Content parts of all features, from the files `*.content.ts`. */
export const CONTENT_PARTS: readonly ContentPart[] = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.content.ts'))
  .sort()
  .map((file) => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- tests are described by the parts, and Jest, which runs CommonJS, waits for no `import()` there
    const { content } = require(resolve(join(FOLDER, file))) as { content?: ContentPart };
    if (!content) throw new Error(`${file} does not export "content".`);
    return content;
  });

/**
 * Merges the records. Throws if two have the same key, because one of them would silently be left
 * out.
 */
function merged<Value>(parts: readonly Record<string, Value>[]): ReadonlyMap<string, Value> {
  const entries = parts.flatMap((part) => Object.entries(part));
  const found = new Map(entries);
  const twice = entries.map(([name]) => name).filter((name, at, names) => names.indexOf(name) !== at);
  if (twice.length) throw new Error(`Two parts of a tenant's content have the same: ${twice.join(', ')}.`);
  return found;
}

const KIND_BY_NAME = merged([TENANT_KINDS, ...CONTENT_PARTS.map(({ kinds = {} }) => kinds)]);

/** Kind of an id or name, by the name of its field in paths, queries and bodies. */
export const KIND_OF = merged(
  [...KIND_BY_NAME].flatMap(([kind, { fields }]) => fields.map((field) => ({ [field]: kind }))),
);

/** Makes the body of requests to routes with required fields. Key: method and path. */
export const BODIES = merged(CONTENT_PARTS.map(({ bodies = {} }) => bodies));

export const KINDS: readonly string[] = [...KIND_BY_NAME.keys()];

/** @throws Error if the kind is unknown. */
export function contentKind(name: string): ContentKind {
  const found = KIND_BY_NAME.get(name);
  if (!found) throw new Error(`No part of a tenant's content has a kind ${name}.`);
  return found;
}

/** A new id (or name) of this kind that does not exist. */
export const newUnknownId = (name: string): string => contentKind(name).unknown();
