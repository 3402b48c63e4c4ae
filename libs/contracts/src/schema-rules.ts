/** A part of JSON Schema 2020-12. */
type SchemaPart = Record<string, unknown>;

const RULES = new WeakMap<object, SchemaPart[]>();

/**
 * Adds a rule between fields of a request to the OpenAPI document, because class-validator cannot
 * express it. The service itself must check the rule and answer with 422.
 */
const withRule =
  (rule: SchemaPart): ClassDecorator =>
  (target) => {
    RULES.set(target, [...(RULES.get(target) ?? []), rule]);
  };

/** The key is present and not null. */
const has = (key: string): SchemaPart => ({ required: [key], properties: { [key]: { not: { type: 'null' } } } });

/** At least one of these fields is required. */
export const NeedsOneOf = (...keys: string[]): ClassDecorator => withRule({ anyOf: keys.map(has) });

/** Exactly one of these fields is required. */
export const NeedsExactlyOneOf = (...keys: string[]): ClassDecorator => withRule({ oneOf: keys.map(has) });

/** The second field is required if the first one has this value. */
export const NeedsWith = (key: string, value: string | boolean, needed: string): ClassDecorator =>
  withRule({ if: { required: [key], properties: { [key]: { const: value } } }, then: has(needed) });

/** The second field must be absent or null if the first one has this value. */
export const RulesOut = (key: string, value: string, other: string): ClassDecorator =>
  withRule({ if: { required: [key], properties: { [key]: { const: value } } }, then: { properties: { [other]: { type: 'null' } } } });

/** Rules of a class as one schema; empty if there are none. */
export function schemaRulesOf(target: object): SchemaPart {
  const [only, ...more] = RULES.get(target) ?? [];
  return more.length ? { allOf: RULES.get(target) } : (only ?? {});
}
