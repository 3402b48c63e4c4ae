import type { JsonObject, JsonValue } from '../document.js';

/**
 * A JSON Schema 2020-12. Editors and `parseAppDocument` show `patternErrorMessage` if `pattern`
 * does not match.
 */
export type Schema = JsonObject;

interface Extra {
  [keyword: string]: JsonValue;
}

export const text = (description: string, extra: Extra = {}): Schema => ({ type: 'string', description, ...extra });
export const oneOfTexts = (values: readonly string[], description: string, extra: Extra = {}): Schema =>
  text(description, { enum: [...values], ...extra });
export const flag = (description: string, byDefault: boolean): Schema => ({
  type: 'boolean',
  description,
  default: byDefault,
});
export const integer = (description: string, minimum: number, maximum: number, extra: Extra = {}): Schema => ({
  type: 'integer',
  description,
  minimum,
  maximum,
  ...extra,
});
export const list = (description: string, items: Schema, extra: Extra = {}): Schema => ({
  type: 'array',
  description,
  items,
  ...extra,
});
export const map = (description: string, values: Schema | true = true): Schema => ({
  type: 'object',
  description,
  ...(values === true ? {} : { additionalProperties: values }),
});
export const anything = (description: string): Schema => ({ description });
/** Schema that also allows null, which is the default value. */
export const nullable = (schema: Schema): Schema => ({
  ...schema,
  type: [schema['type'] as string, 'null'],
  default: null,
});

/** Schema of an object with these keys and no others. A key that ends in `!` is required. */
export function object(description: string, properties: Record<string, Schema>, extra: Extra = {}): Schema {
  const keys = Object.keys(properties);
  return {
    type: 'object',
    ...(description && { description }),
    properties: Object.fromEntries(keys.map((key) => [key.replace(/!$/, ''), properties[key] as Schema])),
    required: keys.filter((key) => key.endsWith('!')).map((key) => key.slice(0, -1)),
    additionalProperties: false,
    ...extra,
  };
}
