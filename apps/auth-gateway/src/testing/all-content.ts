import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ContentKind, ContentPart } from './content-part.js';
import { TENANT_KINDS } from './tenant-kinds.js';

const FOLDER = 'apps/auth-gateway/src';

/** Those of all features, found by the names of their files. */
export const CONTENT_PARTS: readonly ContentPart[] = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.content.ts'))
  .sort()
  .map((file) => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- tests are described by the parts, and Jest, which runs CommonJS, waits for no `import()` there
    const { content } = require(resolve(join(FOLDER, file))) as { content?: ContentPart };
    if (!content) throw new Error(`${file} does not export "content".`);
    return content;
  });

/** All of them, each once: of two parts that say the same, one would not be tried. */
function merged<Value>(parts: readonly Record<string, Value>[]): ReadonlyMap<string, Value> {
  const entries = parts.flatMap((part) => Object.entries(part));
  const found = new Map(entries);
  const twice = entries.map(([name]) => name).filter((name, at, names) => names.indexOf(name) !== at);
  if (twice.length) throw new Error(`Two parts of a tenant's content have the same: ${twice.join(', ')}.`);
  return found;
}

const KIND_BY_NAME = merged([TENANT_KINDS, ...CONTENT_PARTS.map(({ kinds = {} }) => kinds)]);

/** The kind of a name, by what the interface calls it in a path, a query or a body. */
export const KIND_OF = merged([...KIND_BY_NAME].flatMap(([kind, { fields }]) => fields.map((field) => ({ [field]: kind }))));

/** What a body has to say for an answer about what is named elsewhere, by method and path of the route. */
export const BODIES = merged(CONTENT_PARTS.map(({ bodies = {} }) => bodies));

/** The names of all kinds. */
export const KINDS: readonly string[] = [...KIND_BY_NAME.keys()];

/** @throws Error where there is no such kind. */
export function contentKind(name: string): ContentKind {
  const found = KIND_BY_NAME.get(name);
  if (!found) throw new Error(`No part of a tenant's content has a kind ${name}.`);
  return found;
}

/** A name of this kind that nobody has. */
export const unknownOf = (name: string): string => contentKind(name).unknown();
