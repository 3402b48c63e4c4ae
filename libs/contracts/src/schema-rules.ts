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

/** Schema that requires a key which is present and not null. */
const has = (key: string): SchemaPart => ({ required: [key], properties: { [key]: { not: { type: 'null' } } } });

/**
 * States in the OpenAPI document that at least one of these fields is required. It validates
 * nothing: the route must check it.
 */
export const NeedsOneOf = (...keys: string[]): ClassDecorator => withRule({ anyOf: keys.map(has) });

/**
 * States in the OpenAPI document that exactly one of these fields is required. It validates
 * nothing: the route must check it.
 */
export const NeedsExactlyOneOf = (...keys: string[]): ClassDecorator => withRule({ oneOf: keys.map(has) });

/**
 * States in the OpenAPI document that the field `needed` is required if `key` has this value. It
 * validates nothing: the route must check it.
 */
export const NeedsWith = (key: string, value: string | boolean, needed: string): ClassDecorator =>
  withRule({ if: { required: [key], properties: { [key]: { const: value } } }, then: has(needed) });

/**
 * States in the OpenAPI document that the field `other` must be absent or null if `key` has this
 * value. It validates nothing: the route must check it.
 */
export const RulesOut = (key: string, value: string, other: string): ClassDecorator =>
  withRule({
    if: { required: [key], properties: { [key]: { const: value } } },
    then: { properties: { [other]: { type: 'null' } } },
  });

/**
 * Rules that the decorators of this file added to a class, as one schema; empty if there are none.
 */
export function schemaRulesOf(target: object): SchemaPart {
  const [only, ...more] = RULES.get(target) ?? [];
  return more.length ? { allOf: RULES.get(target) } : (only ?? {});
}
