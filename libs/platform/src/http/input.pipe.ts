import { ValidationPipe, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { validate, type ValidationError } from 'class-validator';
import { MAX_ISSUES, NOT_PERMITTED, ValidationFailed, type ValidationIssue } from '../errors.js';
import { isAccepted } from '../speed/accepted-inputs.js';
import { rememberRules } from '../speed/remembered-rules.js';
import { toInstance, keysOf } from './instances.js';

/**
 * Converts the body, query or path parameters of a request into an instance of the declared class,
 * and validates it. Unknown keys of a body are refused. Unknown keys of a query are refused by the
 * `QueryGuard`, or dropped here if the route ignores them.
 *
 * @throws ValidationFailed (422) that lists the faults, at most 50.
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
 * Converts and validates a body like Nest's ValidationPipe, in time proportional to its size.
 * Returns a promise if class-validator must check the body. Keys that lead to a prototype were
 * refused when the body was read.
 *
 * @throws ValidationFailed with the faults of the body.
 */
function instanceOfBody(value: object, expected: Type<object>): object {
  const refused: ValidationIssue[] = [];
  const input = toInstance(expected, value, (path, why) => {
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

/**
 * Returns the query without keys that have no rule in its class, because class-transformer would
 * compare them with each other. A single parameter or a query without a class is returned
 * unchanged.
 */
function knownOf(value: unknown, { metatype, data }: ArgumentMetadata): unknown {
  if (data !== undefined || !metatype || metatype === Object || typeof value !== 'object' || value === null)
    return value;
  const keys = keysOf(metatype);
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.has(key)));
}

const notARecord = () =>
  new ValidationFailed([{ loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' }]);

function pipe(location: string, { forbidNonWhitelisted }: { forbidNonWhitelisted: boolean }): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted,
    exceptionFactory: (errors: ValidationError[]) => failureOf(errors, location),
  });
}

/**
 * Lists the faults of a validation, at most 50. A place that is in `known` is not listed again.
 *
 * @param known faults that were found before validation.
 */
function failureOf(errors: ValidationError[], location: string, known: ValidationIssue[] = []): ValidationFailed {
  const places = new Set(known.map(({ loc }) => JSON.stringify(loc)));
  const found = errors.flatMap((error) => issuesOf(error, [location]));
  return new ValidationFailed(
    [...known, ...found.filter(({ loc }) => !places.has(JSON.stringify(loc)))].slice(0, MAX_ISSUES),
  );
}

function issuesOf(error: ValidationError, parent: (string | number)[]): ValidationIssue[] {
  const loc = [...parent, /^\d+$/.test(error.property) ? Number(error.property) : error.property];
  const own = Object.entries(error.constraints ?? {});
  const nested = (error.children ?? []).flatMap((child) => issuesOf(child, loc));
  if (!own.length) return nested;
  if (own.some(([name]) => name === 'whitelistValidation')) return [{ loc, ...NOT_PERMITTED }];
  if (error.value === undefined && !nested.length) return [{ loc, msg: 'Field required', type: 'missing' }];
  // A value of the wrong type fails every other rule too; only the type is reported.
  const wrongType = own.find(([name]) => TYPE_RULES.has(name));
  return (wrongType ? [wrongType] : own).flatMap(([name, msg]) => {
    const { type, find } = (error.contexts?.[name] ?? {}) as RuleContext;
    if (find) return find(error.value).map(({ path, ...issue }) => ({ loc: [...loc, ...path], ...issue }));
    return [{ loc, msg, type: type ?? ISSUE_TYPES[name] ?? 'value_error' }];
  });
}

/**
 * Options in the `context` of a validator: the type of its issue, or a function that finds the
 * issues within a value and their paths.
 */
interface RuleContext {
  type?: string;
  find?: (value: unknown) => { path: (string | number)[]; msg: string; type: string }[];
}

/**
 * Types that pydantic v2 gives to the same faults, by class-validator's rule. Clients of the API
 * know these types.
 */
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
