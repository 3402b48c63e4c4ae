import { newId } from '@platform/platform';
import type { Schema } from './documented-routes.js';

/** Password of test users. */
export const PASSWORD = 'correct horse battery';

const typeOf = ({ type }: Schema): string | undefined => [type].flat().find((name) => name !== 'null');

/**
 * Returns a value that the schema allows, with only the required keys. Texts are unique if the
 * schema allows it.
 */
export function createSample(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  switch (typeOf(schema)) {
    case 'string':
      return text(schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    case 'array':
      return schema.minItems ? (schema.example ?? []) : [];
    default:
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, createSample(schema.properties?.[key] ?? {})]),
      );
  }
}

function text({ format, pattern, minLength = 0, example }: Schema): string {
  const fresh = newId('x');
  if (format === 'email') return `${fresh.slice(2)}@example.com`;
  if (format === 'password') return PASSWORD;
  if (format === 'date-time') return new Date().toISOString(); // a fixed example would become too old
  const isAllowed = !format && fresh.length >= minLength && (!pattern || new RegExp(pattern).test(fresh));
  return isAllowed ? fresh : String(example);
}

/**
 * Makes a value like `createSample`, with `value` at this path. A list on the path contains only
 * that item.
 */
export function createSampleWith(schema: Schema, path: string[], value: string): unknown {
  if (typeOf(schema) === 'array') return [createSampleWith(schema.items ?? {}, path, value)];
  const [key, ...rest] = path;
  if (key === undefined) return ['integer', 'number'].includes(typeOf(schema) ?? '') ? Number(value) : value;
  return { ...(createSample(schema) as object), [key]: createSampleWith(schema.properties?.[key] ?? {}, rest, value) };
}

/**
 * Paths of all values in a schema, at any depth, as lists of names. A list adds nothing to the
 * path.
 */
export function listValuePaths(schema: Schema, path: string[] = []): string[][] {
  if (schema.items) return listValuePaths(schema.items, path);
  const properties = Object.entries(schema.properties ?? {});
  return properties.length ? properties.flatMap(([key, property]) => listValuePaths(property, [...path, key])) : [path];
}
