// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- a file that declares a module cannot be imported
/// <reference path="./class-transformer-storage.d.ts" />
import type { Type } from '@nestjs/common';
import { TransformationType, type TransformFnParams } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { TypeMetadata } from 'class-transformer/types/interfaces/index.js';
import { ARRAY_MAX_SIZE, getMetadataStorage, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';

export type Path = readonly (string | number)[];

/** Decorators of one key of a class. */
interface KnownKey {
  /** `@Type`. */
  type: (() => Type) | undefined;
  /** `@Transform`. */
  transforms: readonly ((params: TransformFnParams) => unknown)[];
  /**
   * `one`: the value must be a record. `each`: it must be a list of records. By `@ValidateNested`.
   */
  nests: 'one' | 'each' | undefined;
  /** Maximum number of items of a list, by `@ArrayMaxSize`. */
  maxItems: number;
}

/** Called for each fault of the input, with its place. */
type Refuse = (path: Path, why: 'unknown' | 'not a record') => void;

const keysOfClasses = new WeakMap<Type, ReadonlyMap<string, KnownKey>>();

/**
 * Converts a record into an instance of its class, as `plainToInstance` does. Calls `refuse` for
 * keys without a rule in the class, and for values that must be records and are not:
 * class-validator would search lists of lists for records, and accept an empty list, and `null` in
 * a list. A value without a class stays as it was sent, and its keys are not checked.
 *
 * The work is proportional to the size of the record: class-transformer compares each key with all
 * keys before it, and copies values that no class describes. A list above its limit is cut to one
 * item more than the limit. Its rule still refuses it, but the rules for its items do not run for
 * every item.
 */
export function toInstance<T extends object>(type: Type<T>, record: object, refuse: Refuse, path: Path = []): T {
  const instance = new type() as T & Record<string, unknown>;
  const keys = keysOf(type);
  for (const key of Object.keys(record)) {
    const known = keys.get(key);
    if (!known) {
      refuse([...path, key], 'unknown');
      continue;
    }
    const sent = refusable((record as Record<string, unknown>)[key], known);
    let value = known.type ? nested(known, sent, refuse, [...path, key]) : sent;
    for (const transform of known.transforms) {
      value = transform({ value, key, obj: record, type: TransformationType.PLAIN_TO_CLASS, options: {} });
    }
    Object.defineProperty(instance, key, {
      value: refusable(value, known),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return instance;
}

/**
 * Returns the value. A list above its limit is cut to one item more than the limit, so that its
 * rule still refuses it.
 */
const refusable = (value: unknown, { maxItems }: KnownKey): unknown =>
  Array.isArray(value) && value.length > maxItems ? (value as unknown[]).slice(0, maxItems + 1) : value;

/** Keys that have a validation rule in the class or in its parents, with their decorators. */
export function keysOf(type: Type): ReadonlyMap<string, KnownKey> {
  let keys = keysOfClasses.get(type);
  if (!keys) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    keys = new Map(rules.map(({ propertyName }) => [propertyName, keyOf(type, propertyName, rules)]));
    keysOfClasses.set(type, keys);
  }
  return keys;
}

function keyOf(type: Type, key: string, rules: readonly ValidationMetadata[]): KnownKey {
  const found = defaultMetadataStorage.findTypeMetadata(type, key) as TypeMetadata | undefined;
  const transforms = defaultMetadataStorage.findTransformMetadatas(type, key, TransformationType.PLAIN_TO_CLASS);
  const nested = rules.find(
    ({ type, propertyName }) => type === ValidationTypes.NESTED_VALIDATION && propertyName === key,
  );
  const limits = rules.filter(({ name, propertyName }) => name === ARRAY_MAX_SIZE && propertyName === key);
  return {
    type: found && (() => found.typeFunction() as Type),
    nests: nested && (nested.each ? 'each' : 'one'),
    transforms: transforms.map(({ transformFn }) => transformFn),
    maxItems: Math.min(...limits.map(({ constraints }) => constraints[0] as number)),
  };
}

function nested(known: KnownKey, value: unknown, refuse: Refuse, path: Path): unknown {
  if (!Array.isArray(value)) return recordOf(known, value, refuse, path);
  if (known.nests === 'one') refuse(path, 'not a record');
  return value.map((item: unknown, at) => {
    const place = [...path, at];
    if (known.nests === 'each' && !isRecord(item)) refuse(place, 'not a record');
    return recordOf(known, item, refuse, place);
  });
}

const recordOf = ({ type }: KnownKey, value: unknown, refuse: Refuse, path: Path): unknown =>
  type && isRecord(value) ? toInstance(type(), value, refuse, path) : value;

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
