import type { Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { speedTrick } from './speed-trick.js';

/**
 * Replaces: for each key of each object class-validator sorts the rules by kind, several times, and makes an error, which it drops where nothing is
 * wrong (`ValidationExecutor`). Here the rules of a class are grouped by key once, and asked until one says no. What is refused, class-validator looks at as
 * before, and says what is wrong.
 * Gains: see docs/performance.md; `npm run bench -- --only tricks`.
 * Off: SPEED_TRICKS_OFF=accepted-inputs.
 */
export const acceptedInputs = speedTrick('accepted-inputs', 'class-validator', '0.15.1');

/** Of one key. */
interface KeyRules {
  key: string;
  /** All have to hold, or the key is not looked at: `@IsOptional`, `@ValidateIf`. */
  conditions: readonly ((object: object, value: unknown) => boolean)[];
  rules: readonly Rule[];
  nests: boolean;
}
interface Rule {
  each: boolean;
  validate: (value: unknown, args: ValidationArguments) => unknown;
  /** What it is told beside the value. */
  targetName: string;
  property: string;
  constraints: unknown[];
}

const rulesOfClasses = new WeakMap<object, readonly KeyRules[] | null>();

/**
 * Whether each rule of the object's class, and of those within it, accepts it. False also where a rule is of a kind that is left to class-validator.
 * Where one refuses, class-validator asks them again: rules have no side effects.
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

/** A rule that answers with a promise is left to class-validator. */
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

/** Null where class-validator has to be asked. */
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
    conditions: ofKind(ValidationTypes.CONDITIONAL_VALIDATION).map(({ constraints }) => constraints[0] as KeyRules['conditions'][number]),
    rules: ofKind(ValidationTypes.CUSTOM_VALIDATION).flatMap(({ constraintCls, constraints, each }) =>
      getMetadataStorage()
        .getTargetValidatorConstraints(constraintCls)
        .map(({ instance }) => ({ each, validate: instance.validate.bind(instance), targetName, property: key, constraints })),
    ),
    nests: ofKind(ValidationTypes.NESTED_VALIDATION).length > 0,
  };
}
