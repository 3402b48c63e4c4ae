import type { Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { speedTrick } from './speed-trick.js';

/**
 * Replaces: for each key of each object, class-validator sorts the rules by kind, several times,
 * and creates an error, which it drops if nothing is wrong (`ValidationExecutor`). Here the rules
 * of a class are grouped by key once, and run until one refuses. For a refused object
 * class-validator runs as before, and reports the faults.
 * Gains: see docs/performance.md; `npm run bench -- --only tricks`.
 * Off: SPEED_TRICKS_OFF=accepted-inputs.
 */
export const acceptedInputs = speedTrick('accepted-inputs', 'class-validator', '0.15.1');

/** Rules of one key. */
interface KeyRules {
  key: string;
  /** All must be true, otherwise the key is not validated: `@IsOptional`, `@ValidateIf`. */
  conditions: readonly ((object: object, value: unknown) => boolean)[];
  rules: readonly Rule[];
  nests: boolean;
}
interface Rule {
  each: boolean;
  validate: (value: unknown, args: ValidationArguments) => unknown;
  /** Arguments that the rule gets beside the value. */
  targetName: string;
  property: string;
  constraints: unknown[];
}

const rulesOfClasses = new WeakMap<object, readonly KeyRules[] | null>();

/**
 * True if each rule of the object's class, and of objects within it, accepts the object. False also
 * if the speed trick is off, or a rule has a kind that only class-validator can run. After false,
 * class-validator runs all rules again; rules have no side effects.
 */
export function isAccepted(object: object): boolean {
  if (!acceptedInputs.isOn) return false;
  const rules = rulesOf(object.constructor as Type);
  return rules !== null && rules.every((ofKey) => accepts(ofKey, object));
}

function accepts({ key, conditions, rules, nests }: KeyRules, object: object): boolean {
  const value = (object as Record<string, unknown>)[key];
  for (const holds of conditions) if (!holds(object, value)) return true;
  for (const rule of rules) if (!passes(rule, object, value)) return false;
  return !nests || value === undefined || isNestedAccepted(value);
}

/**
 * True if the value passes the rule. False also for a rule that returns a promise, which is left to
 * class-validator.
 */
function passes({ each, validate, targetName, property, constraints }: Rule, object: object, value: unknown): boolean {
  const args = { targetName, property, object, value, constraints };
  if (!each || !isCollection(value)) return validate(value, args) === true;
  return Array.isArray(value) && value.every((item) => validate(item, args) === true);
}

function isNestedAccepted(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isNestedAccepted);
  return value instanceof Object && isAccepted(value);
}

const isCollection = (value: unknown): boolean => Array.isArray(value) || value instanceof Set || value instanceof Map;

/** Rules of a class by key; null if class-validator must validate the class. */
function rulesOf(type: Type): readonly KeyRules[] | null {
  let rules = rulesOfClasses.get(type);
  if (rules === undefined) rulesOfClasses.set(type, (rules = groupedByKey(type)));
  return rules;
}

const KINDS: ReadonlySet<string> = new Set([
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
  ValidationTypes.WHITELIST,
]);

function groupedByKey(type: Type): readonly KeyRules[] | null {
  const all = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  if (!all.length || all.some((rule) => !KINDS.has(rule.type) || rule.validateIf)) return null;
  const keys = [...new Set(all.map(({ propertyName }) => propertyName))];
  return keys.map((key) =>
    rulesOfKey(
      type.name,
      key,
      all.filter(({ propertyName }) => propertyName === key),
    ),
  );
}

function rulesOfKey(targetName: string, key: string, all: readonly ValidationMetadata[]): KeyRules {
  const ofKind = (kind: string) => all.filter(({ type }) => type === kind);
  return {
    key,
    conditions: ofKind(ValidationTypes.CONDITIONAL_VALIDATION).map(
      ({ constraints }) => constraints[0] as KeyRules['conditions'][number],
    ),
    rules: ofKind(ValidationTypes.CUSTOM_VALIDATION).flatMap(({ constraintCls, constraints, each }) =>
      getMetadataStorage()
        .getTargetValidatorConstraints(constraintCls)
        .map(({ instance }) => ({
          each,
          validate: instance.validate.bind(instance),
          targetName,
          property: key,
          constraints,
        })),
    ),
    nests: ofKind(ValidationTypes.NESTED_VALIDATION).length > 0,
  };
}
