import type { JsonObject, JsonValue } from './document.js';
import { quote, within, type DocumentIssue } from './issues.js';
import { isObject, textOf } from './json.js';
import { LIMITS } from './limits.js';
import { Meter } from './meter.js';
import { compilePattern } from './patterns.js';
import { safeAjv } from './safe-ajv.js';
import { DEFINITIONS, LOCAL_REF, MAPS, subschemas } from './subschemas.js';

/**
 * Completes the params of a function to a JSON Schema. `sent` is a schema, which gets the type
 * `object` if it has no `type`, or only the properties of one.
 */
export function asObjectSchema(sent: JsonObject): JsonObject {
  if (Object.keys(sent).length === 0) return { type: 'object' };
  if (!looksLikeSchema(sent) && Object.values(sent).every(isObject)) return { type: 'object', properties: sent };
  return { type: 'object', ...sent };
}

/**
 * True if the keys belong to a schema. False for a map of properties that have these names, because
 * its values are schemas.
 */
function looksLikeSchema({
  type,
  $ref,
  $schema,
  properties,
  $defs,
  required,
  allOf,
  anyOf,
  oneOf,
  additionalProperties,
}: JsonObject): boolean {
  return (
    [type, $ref, $schema].some((value) => typeof value === 'string') ||
    [type, required, allOf, anyOf, oneOf].some(Array.isArray) ||
    [properties, $defs].some(isObject) ||
    typeof additionalProperties === 'boolean'
  );
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/**
 * Keywords that refer to something outside the schema, whose evaluation cannot be bounded, or that
 * only Ajv supports.
 */
const REFUSED = [
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$recursiveAnchor',
  '$recursiveRef',
  '$vocabulary',
  '$async',
  'nullable',
];
const UNDER_WAY = 0;

const issue = (pointer: string, message: string): DocumentIssue => ({ pointer, rule: 'json_schema', message });
const TOO_LARGE = issue(
  '',
  `A schema may have at most ${LIMITS.subschemas} parts, each counted as often as it is referred to.`,
);
const TOO_MANY_KEYWORDS = issue(
  '',
  `A schema may have at most ${LIMITS.schemaKeywords} keywords in all its parts, and names in "required" and "dependentRequired".`,
);

/** Loads nothing from the network, and ignores unknown keywords and formats. */
const meter = new Meter();
const metaSchema = safeAjv({ allErrors: true, validateFormats: false }, meter);

/** Checks the JSON Schemas of one document. */
export class JsonSchemaChecker {
  private readonly patterns = new Set<string>();

  /**
   * Finds the problems because of which values cannot be checked with this schema in bounded time;
   * empty if there are none. Patterns are counted over all schemas of the document. Pointers are
   * relative to the schema.
   */
  check(schema: JsonObject): DocumentIssue[] {
    meter.startCheck(Infinity);
    if (!metaSchema.validate(DIALECT, schema)) return metaSchemaErrors();
    if (countSubschemas(schema) > LIMITS.subschemas) return [TOO_LARGE];
    if (countKeywords(schema) > LIMITS.schemaKeywords) return [TOO_MANY_KEYWORDS];
    const found = [...this.keywords(schema, '', true)];
    return found.length ? found : [...references(schema)];
  }

  private *keywords(schema: JsonValue, pointer: string, isRoot = false): Generator<DocumentIssue> {
    if (!isObject(schema)) return;
    for (const keyword of REFUSED) {
      if (Object.hasOwn(schema, keyword)) yield issue(within(pointer, keyword), `${quote(keyword)} is not supported.`);
    }
    const { $schema: dialect, $ref: ref, pattern, patternProperties } = schema;
    if (dialect !== undefined && !(isRoot && dialect === DIALECT)) {
      yield issue(within(pointer, '$schema'), `This can only be ${quote(DIALECT)}, at the top of the schema.`);
    }
    if (ref !== undefined && !LOCAL_REF.test(textOf(ref)))
      yield issue(within(pointer, '$ref'), 'A reference must have the form "#/$defs/<name>".');
    if (typeof pattern === 'string') yield* this.pattern(pattern, within(pointer, 'pattern'));
    if (isObject(patternProperties)) {
      for (const name of Object.keys(patternProperties))
        yield* this.pattern(name, within(pointer, 'patternProperties', name));
    }
    for (const [path, subschema] of subschemas(schema, [...MAPS, ...DEFINITIONS]))
      yield* this.keywords(subschema, within(pointer, ...path));
  }

  private *pattern(pattern: string, pointer: string): Generator<DocumentIssue> {
    this.patterns.add(pattern);
    if (this.patterns.size > LIMITS.patterns) {
      yield {
        pointer,
        rule: 'too_many',
        message: `There may be at most ${LIMITS.patterns} different patterns in a document.`,
      };
      return;
    }
    try {
      compilePattern(pattern);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      yield issue(pointer, `This pattern cannot be used: ${reason.replace(/\.?$/, '.')}`);
    }
  }
}

/**
 * Finds references to nothing, circular ones, which would make a short schema take forever, and a
 * schema that is too large with its references.
 */
function references(root: JsonObject): DocumentIssue[] {
  const found: DocumentIssue[] = [];
  const sizes = new Map<string, number>();

  const sizeOfTarget = (ref: string, pointer: string): number => {
    const known = sizes.get(ref);
    if (known === UNDER_WAY) found.push(issue(pointer, 'A schema cannot contain itself.'));
    if (known !== undefined) return known;
    const [, map = '', name = ''] = LOCAL_REF.exec(ref) ?? [];
    const definitions = root[map];
    const target = isObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (target === undefined) found.push(issue(pointer, `There is no schema at ${quote(ref)}.`));
    sizes.set(ref, UNDER_WAY);
    const size = sizeOf(target ?? true, within('', map, name));
    sizes.set(ref, size);
    return size;
  };

  const sizeOf = (schema: JsonValue, pointer: string): number => {
    if (!isObject(schema)) return 1;
    let size = 1 + (typeof schema['$ref'] === 'string' ? sizeOfTarget(schema['$ref'], within(pointer, '$ref')) : 0);
    for (const [path, subschema] of subschemas(schema, MAPS)) size += sizeOf(subschema, within(pointer, ...path));
    return size;
  };

  if (sizeOf(root, '') > LIMITS.subschemas) found.push(TOO_LARGE);
  return found;
}

function countSubschemas(schema: JsonValue): number {
  if (!isObject(schema)) return 1;
  let count = 1;
  for (const [, subschema] of subschemas(schema, [...MAPS, ...DEFINITIONS])) count += countSubschemas(subschema);
  return count;
}

const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]);

/** Number of keywords and names from which code is generated. */
function countKeywords(schema: JsonValue): number {
  if (!isObject(schema)) return 0;
  let count = Object.keys(schema).filter((keyword) => !ANNOTATIONS.has(keyword)).length;
  const { required, dependentRequired } = schema;
  if (Array.isArray(required)) count += required.length;
  if (isObject(dependentRequired))
    for (const names of Object.values(dependentRequired)) count += 1 + (names as unknown[]).length;
  for (const [, subschema] of subschemas(schema, [...MAPS, ...DEFINITIONS])) count += countKeywords(subschema);
  return count;
}

/**
 * Issues of the latest check against the meta-schema, one per place, because it reports the same
 * problem several times in other words.
 */
function metaSchemaErrors(): DocumentIssue[] {
  const found = new Map<string, DocumentIssue>();
  for (const { instancePath, keyword, message = '', schema } of metaSchema.errors ?? []) {
    if (keyword === 'anyOf' || found.has(instancePath)) continue;
    const values = keyword === 'enum' ? `: ${(schema as unknown[]).join(', ')}` : '';
    found.set(instancePath, issue(instancePath, `This is not a valid JSON Schema: it ${message}${values}.`));
  }
  return [...found.values()];
}
