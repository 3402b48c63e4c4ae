/** A part of JSON Schema 2020-12. */
type SchemaPart = Record<string, unknown>;

const RULES = new WeakMap<object, SchemaPart[]>();

/**
 * Says in the document of a service what class-validator does not know of a request: how its fields depend on each other. The service refuses what the rule forbids,
 * as a 422.
 */
const withRule =
  (rule: SchemaPart): ClassDecorator =>
  (target) => {
    RULES.set(target, [...(RULES.get(target) ?? []), rule]);
  };

/** There, and not null. */
const has = (key: string): SchemaPart => ({ required: [key], properties: { [key]: { not: { type: 'null' } } } });

/** At least one of these fields is needed. */
export const NeedsOneOf = (...keys: string[]): ClassDecorator => withRule({ anyOf: keys.map(has) });

/** One of these fields is needed, and no second one. */
export const NeedsExactlyOneOf = (...keys: string[]): ClassDecorator => withRule({ oneOf: keys.map(has) });

/** Where the first field has this value, the second is needed. */
export const NeedsWith = (key: string, value: string | boolean, needed: string): ClassDecorator =>
  withRule({ if: { required: [key], properties: { [key]: { const: value } } }, then: has(needed) });

/** Where the first field has this value, the second is absent or null. */
export const RulesOut = (key: string, value: string, other: string): ClassDecorator =>
  withRule({ if: { required: [key], properties: { [key]: { const: value } } }, then: { properties: { [other]: { type: 'null' } } } });

/** Of a class, as one part of its schema; empty where there are none. */
export function schemaRulesOf(target: object): SchemaPart {
  const [only, ...more] = RULES.get(target) ?? [];
  return more.length ? { allOf: RULES.get(target) } : (only ?? {});
}
