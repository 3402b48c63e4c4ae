import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { listOf, quote, within, type IssueList, type IssueRule } from '../issues.js';
import { nameOfType, textOf } from '../json.js';
import type { NearMiss } from '@platform/contracts/did-you-mean';
import type { Schema } from './schema.js';

const ajv = new Ajv2020({ allErrors: true, verbose: true, useDefaults: true, allowUnionTypes: true });
ajv.addVocabulary(['patternErrorMessage']);

export interface CheckOptions {
  /** True if texts can be templates, whose values are not known yet. */
  templates?: boolean;
}

/**
 * Checks a value against a schema, adds an issue for each problem, and fills in default values.
 * True if there are no problems.
 */
export type Check = (value: unknown, pointer: string, issues: IssueList, options?: CheckOptions) => boolean;

/**
 * Makes a check for a schema. It is compiled at the first use, because a command line that
 * validates one document needs few schemas.
 */
export function checkOf(schema: Schema): Check {
  let validate: ValidateFunction | undefined;
  return (value, pointer, issues, { templates = false } = {}) => {
    validate ??= ajv.compile(schema);
    if (validate(value)) return true;
    const errors = (validate.errors ?? []).filter((error) => !(templates && isPassedByTemplate(error)));
    for (const error of errors) report(error, pointer, issues);
    return errors.length === 0;
  };
}

const WHOLE_TEMPLATE = /^\{\{[^]*\}\}$/;
/** Keywords that do not apply to a text with a template. */
const ABOUT_TEXTS = new Set(['pattern', 'enum', 'minLength', 'maxLength']);

function isPassedByTemplate({ keyword, data }: ErrorObject): boolean {
  if (typeof data !== 'string') return false;
  return ABOUT_TEXTS.has(keyword) ? data.includes('{{') : WHOLE_TEMPLATE.test(data);
}

function report(error: ErrorObject, base: string, issues: IssueList): void {
  const pointer = base + error.instancePath;
  if (error.keyword !== 'additionalProperties') {
    issues.add(pointer, ...explain(error));
    return;
  }
  const key = textOf(error.params['additionalProperty']);
  const known = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
  const message = `The key ${quote(key)} is not known here. Known keys: ${known.join(', ')}.`;
  issues.add(within(pointer, key), 'unknown_key', message, { of: key, among: known });
}

function explain({ keyword, params, parentSchema, schema, data }: ErrorObject): [IssueRule, string, NearMiss?] {
  switch (keyword) {
    case 'required':
      return ['required', `${quote(textOf(params['missingProperty']))} is missing.`];
    case 'type':
      return ['type', `This must be ${[schema].flat().map(typeName).join(' or ')}, but is ${nameOfType(data)}.`];
    case 'enum': {
      const values = (schema as unknown[]).map(String);
      return ['value', `This must be one of ${listOf(values)}.`, { of: textOf(data), among: values }];
    }
    case 'const':
      return ['value', `This must be ${quote(String(schema))}.`];
    case 'pattern':
      return ['value', `${quote(textOf(data))} ${textOf(parentSchema?.['patternErrorMessage'])}.`];
    case 'uniqueItems':
      return ['value', 'This must not contain duplicates.'];
    case 'maxItems':
      return ['too_many', `The maximum number of items is ${Number(params['limit'])}.`];
    case 'maxLength':
      return ['value', `This may have at most ${Number(params['limit'])} characters.`];
    case 'minLength':
    case 'minItems':
      return ['value', 'This must not be empty.'];
    case 'minimum':
      return ['value', `This must be at least ${Number(params['limit'])}.`];
    case 'maximum':
      return ['value', `This must be at most ${Number(params['limit'])}.`];
    default:
      return ['value', `This does not match "${keyword}".`];
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
const typeName = (type: unknown): string => TYPE_NAMES[String(type)] ?? String(type);
