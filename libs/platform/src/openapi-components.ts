import type { OpenAPIObject } from '@nestjs/swagger';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const REFERENCE = /^#\/components\/(\w+)\/(.+)$/;

/**
 * Replaces each `allOf` of a single schema by that schema, at any depth, in place. Nest adds this
 * `allOf` to a property that has a record and a description.
 */
export function unwrapSingles(node: unknown): void {
  if (Array.isArray(node)) node.forEach(unwrapSingles);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const schema = node as { allOf?: unknown };
  if (Array.isArray(schema.allOf) && schema.allOf.length === 1) {
    const [only] = schema.allOf as object[];
    delete schema.allOf;
    Object.assign(schema, only);
  }
  Object.values(node).forEach(unwrapSingles);
}

/**
 * Removes components that no public route refers to, directly or through other components, since
 * internal routes are not public.
 */
export function dropUnused(document: OpenAPIObject): void {
  const components = (document.components ?? {}) as Record<string, Record<string, Json>>;
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === 'string' && !used.has($ref)) {
      used.add($ref);
      const [, kind = '', name = ''] = REFERENCE.exec($ref) ?? [];
      visit(components[kind]?.[name]);
    }
    Object.values(node).forEach(visit);
  };
  visit(document.paths);
  const needed = operationsOf(document).flatMap(({ security = [] }) => security.flatMap((way) => Object.keys(way)));
  for (const name of needed) used.add(`#/components/securitySchemes/${name}`);
  const kept = Object.entries(components).map(([kind, named]): [string, object] => [
    kind,
    Object.fromEntries(Object.entries(named).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
  ]);
  document.components = Object.fromEntries(kept.filter(([, named]) => Object.keys(named).length));
}

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'options'] as const;

/** All operations of a document, in its order. */
export const operationsOf = ({ paths }: OpenAPIObject): Operation[] =>
  Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
