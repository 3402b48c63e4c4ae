import type { JsonObject, JsonValue } from './document.js';
import { isObject } from './json.js';

/** Keywords whose schemas apply to each item or field of a value. */
const REPEATED = [
  'additionalProperties',
  'contains',
  'items',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const REPEATED_MAP = 'patternProperties';
const SUBSCHEMA = [...REPEATED, 'contentSchema', 'else', 'if', 'not', 'then'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/**
 * `dependencies` comes from older dialects, and Ajv still supports it. Its values can be lists of
 * names.
 */
export const MAPS = ['properties', REPEATED_MAP, 'dependentSchemas', 'dependencies'];
export const DEFINITIONS = ['$defs', 'definitions'];
export const LOCAL_REF = /^#\/(\$defs|definitions)\/([A-Za-z0-9_.-]+)$/;

/**
 * Schemas directly within a schema, with their paths: of keywords with one schema, of lists, and of
 * the keywords in `maps`, whose values are maps of schemas.
 */
export function* subschemas(
  schema: JsonObject,
  maps: readonly string[],
): Generator<[path: [keyword: string, ...at: (string | number)[]], subschema: JsonValue]> {
  for (const keyword of SUBSCHEMA) {
    const subschema = schema[keyword];
    if (subschema !== undefined) yield [[keyword], subschema];
  }
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list)) for (const [at, subschema] of list.entries()) yield [[keyword, at], subschema];
  }
  for (const keyword of maps) {
    const map = schema[keyword];
    if (isObject(map)) for (const [name, subschema] of Object.entries(map)) yield [[keyword, name], subschema];
  }
}

/**
 * Weight of a schema: the maximum number of parts and keywords that apply to one value, without
 * those that apply to each item or field.
 */
export class SchemaWeights {
  private readonly known = new Map<JsonObject, number>();

  constructor(private readonly root: JsonObject) {}

  weightOf(schema: JsonValue): number {
    if (!isObject(schema)) return 1;
    const known = this.known.get(schema);
    if (known !== undefined) return known;
    this.known.set(schema, 1);
    let weight = 1 + Object.keys(schema).length;
    const [, map = '', name = ''] = LOCAL_REF.exec(typeof schema['$ref'] === 'string' ? schema['$ref'] : '') ?? [];
    const definitions = this.root[map];
    if (isObject(definitions) && Object.hasOwn(definitions, name))
      weight += this.weightOf(definitions[name] as JsonValue);
    for (const [[keyword], subschema] of subschemas(schema, MAPS)) {
      if (!REPEATED.includes(keyword) && keyword !== REPEATED_MAP) weight += this.weightOf(subschema);
    }
    this.known.set(schema, weight);
    return weight;
  }
}

/**
 * Copies a schema, and adds the keyword `charge` before each schema that applies to items or
 * fields. Its value is the weight of that schema. A `charge` in the sent schema is removed.
 */
export function withWeights(root: JsonObject, charge: string): JsonObject {
  const weights = new SchemaWeights(root);
  const copy = (schema: JsonValue): JsonValue =>
    isObject(schema)
      ? Object.fromEntries(
          Object.entries(schema)
            // A `charge` in the sent schema would be counted instead.
            .filter(([keyword]) => keyword !== charge)
            .map(([keyword, value]) => [keyword, copyOf(keyword, value)]),
        )
      : schema;
  const each = (schema: JsonValue): JsonValue =>
    isObject(schema) ? { allOf: [{ [charge]: weights.weightOf(schema) }, copy(schema)] } : schema;
  const copyOf = (keyword: string, value: JsonValue): JsonValue => {
    if (REPEATED.includes(keyword)) return each(value);
    if (SUBSCHEMA.includes(keyword)) return copy(value);
    if (LISTS.includes(keyword) && Array.isArray(value)) return value.map(copy);
    if (![...MAPS, ...DEFINITIONS].includes(keyword) || !isObject(value)) return value;
    const of = keyword === REPEATED_MAP ? each : copy;
    return Object.fromEntries(Object.entries(value).map(([name, subschema]) => [name, of(subschema)]));
  };
  return copy(root) as JsonObject;
}
