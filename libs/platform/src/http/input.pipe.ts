import { ValidationPipe, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { validate, type ValidationError } from 'class-validator';
import { MAX_ISSUES, NOT_PERMITTED, ValidationFailed, type ValidationIssue } from '../errors.js';
import { isAccepted } from '../speed/accepted-inputs.js';
import { rememberRules } from '../speed/remembered-rules.js';
import { instanceOf, keysOf } from './instances.js';

/**
 * Turns input into instances of its class and reports everything that is wrong with it at once. An unknown key of a body is refused;
 * those of a query are by the `QueryGuard`, and dropped here where a route is to ignore them.
 */
export class InputPipe implements PipeTransform {
  private readonly query = pipe('query', { forbidNonWhitelisted: false });
  private readonly path = pipe('path', { forbidNonWhitelisted: true });

  constructor() {
    rememberRules();
  }

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    if (metadata.type === 'body') {
      const expected = metadata.metatype;
      if (!expected || expected === Object || expected === Array) return value;
      if (Array.isArray(value)) throw notARecord();
      return instanceOfBody(value ?? {}, expected as Type<object>);
    }
    if (metadata.type === 'query') return this.query.transform(knownOf(value, metadata), metadata);
    if (metadata.type === 'param') return this.path.transform(value, metadata);
    return value;
  }
}

/**
 * As Nest's ValidationPipe does it, in time that is in proportion to the body. Keys that lead to a prototype are refused where bodies
 * are read.
 */
function instanceOfBody(value: object, expected: Type<object>): object {
  const refused: ValidationIssue[] = [];
  const input = instanceOf(expected, value, (path, why) => {
    if (refused.length < MAX_ISSUES) refused.push({ loc: ['body', ...path], ...REFUSED[why] });
  });
  return !refused.length && isAccepted(input) ? input : validated(input, refused);
}

async function validated(input: object, refused: ValidationIssue[]): Promise<object> {
  const errors = await validate(input, { forbidUnknownValues: false, validationError: { target: false } });
  if (errors.length || refused.length) throw failureOf(errors, 'body', refused);
  return input;
}

const REFUSED = {
  unknown: NOT_PERMITTED,
  'not a record': { msg: 'Input should be a valid dictionary', type: 'dict_type' },
};

/** Without the keys that the class has no rule for, which class-transformer would compare with each other. */
function knownOf(value: unknown, { metatype, data }: ArgumentMetadata): unknown {
  if (data !== undefined || !metatype || metatype === Object || typeof value !== 'object' || value === null) return value;
  const keys = keysOf(metatype);
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.has(key)));
}

const notARecord = () => new ValidationFailed([{ loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' }]);

function pipe(location: string, { forbidNonWhitelisted }: { forbidNonWhitelisted: boolean }): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted,
    exceptionFactory: (errors: ValidationError[]) => failureOf(errors, location),
  });
}

/** @param known what is known to be wrong: rules need not say it of the same place again. */
function failureOf(errors: ValidationError[], location: string, known: ValidationIssue[] = []): ValidationFailed {
  const places = new Set(known.map(({ loc }) => JSON.stringify(loc)));
  const found = errors.flatMap((error) => issuesOf(error, [location]));
  return new ValidationFailed([...known, ...found.filter(({ loc }) => !places.has(JSON.stringify(loc)))].slice(0, MAX_ISSUES));
}

function issuesOf(error: ValidationError, parent: (string | number)[]): ValidationIssue[] {
  const loc = [...parent, /^\d+$/.test(error.property) ? Number(error.property) : error.property];
  const own = Object.entries(error.constraints ?? {});
  const nested = (error.children ?? []).flatMap((child) => issuesOf(child, loc));
  if (!own.length) return nested;
  if (own.some(([name]) => name === 'whitelistValidation')) return [{ loc, ...NOT_PERMITTED }];
  if (error.value === undefined && !nested.length) return [{ loc, msg: 'Field required', type: 'missing' }];
  // What has the wrong type fails every other rule too; only the type is worth saying.
  const wrongType = own.find(([name]) => TYPE_RULES.has(name));
  return (wrongType ? [wrongType] : own).flatMap(([name, msg]) => {
    const { type, find } = (error.contexts?.[name] ?? {}) as RuleContext;
    if (find) return find(error.value).map(({ path, ...issue }) => ({ loc: [...loc, ...path], ...issue }));
    return [{ loc, msg, type: type ?? ISSUE_TYPES[name] ?? 'value_error' }];
  });
}

/** What a validator may say in its `context`: the type of its issue, or how to find the issues within a value and their places. */
interface RuleContext {
  type?: string;
  find?: (value: unknown) => { path: (string | number)[]; msg: string; type: string }[];
}

/** class-validator's rule → the type that pydantic v2 gives the same failure, which clients of the interface know. */
const ISSUE_TYPES: Record<string, string> = {
  isString: 'string_type',
  isBoolean: 'bool_type',
  isInt: 'int_type',
  isNumber: 'float_type',
  isArray: 'list_type',
  isObject: 'dict_type',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  matches: 'string_pattern_mismatch',
  isIn: 'literal_error',
  min: 'greater_than_equal',
  max: 'less_than_equal',
  arrayMinSize: 'too_short',
  arrayMaxSize: 'too_long',
};

const TYPE_RULES = new Set(['isString', 'isBoolean', 'isInt', 'isNumber', 'isArray', 'isObject']);
