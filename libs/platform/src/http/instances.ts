// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- what declares a module cannot be imported
/// <reference path="./class-transformer-storage.d.ts" />
import type { Type } from '@nestjs/common';
import { TransformationType, type TransformFnParams } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { TypeMetadata } from 'class-transformer/types/interfaces/index.js';
import { ARRAY_MAX_SIZE, getMetadataStorage, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';

export type Path = readonly (string | number)[];

/** What a class says of one of its keys. */
interface KnownKey {
  /** `@Type`. */
  type: (() => Type) | undefined;
  /** `@Transform`. */
  transforms: readonly ((params: TransformFnParams) => unknown)[];
  /** Whether there is to be one such, or a list of them, by `@ValidateNested`. */
  nests: 'one' | 'each' | undefined;
  /** How many items a list may have, by `@ArrayMaxSize`. */
  maxItems: number;
}

/** Told what is wrong with a place of the input. */
type Refuse = (path: Path, why: 'unknown' | 'not a record') => void;

const keysOfClasses = new WeakMap<Type, ReadonlyMap<string, KnownKey>>();

/**
 * The record as an instance of its class, as `plainToInstance` makes it, and what of it no rule of the class knows, or is no record where
 * there is to be one: class-validator looks for records in lists of lists, and takes an empty one, and `null` in a list, for good. What has
 * no class of its own stays as it was sent, and unknown keys are looked at by nobody. The work is in proportion to the record:
 * class-transformer compares each key of a record with all those before it, and copies what no class describes. Of a list that is longer
 * than its rule allows as much is taken as the rule needs to refuse it: the rules for its items would else be asked about each.
 */
export function instanceOf<T extends object>(type: Type<T>, record: object, refuse: Refuse, path: Path = []): T {
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
    Object.defineProperty(instance, key, { value: refusable(value, known), writable: true, enumerable: true, configurable: true });
  }
  return instance;
}

/** The list, or the beginning of one that is too long, which is too long as well. */
const refusable = (value: unknown, { maxItems }: KnownKey): unknown =>
  Array.isArray(value) && value.length > maxItems ? (value as unknown[]).slice(0, maxItems + 1) : value;

/** The keys of the class that have a rule, of its parents too. */
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
  const nested = rules.find(({ type, propertyName }) => type === ValidationTypes.NESTED_VALIDATION && propertyName === key);
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
  type && isRecord(value) ? instanceOf(type(), value, refuse, path) : value;

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
