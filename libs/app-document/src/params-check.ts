import type { ErrorObject, Format } from 'ajv/dist/2020.js';
import { fullFormats, type FormatName } from 'ajv-formats/dist/formats.js';
import type { JsonObject } from './document.js';
import { Meter, TooExpensive } from './meter.js';
import { compilePattern } from './patterns.js';
import { safeAjv } from './safe-ajv.js';
import { withWeights, SchemaWeights } from './subschemas.js';

export interface ParamsIssue {
  code: 'VALIDATION_MISSING_FIELD' | 'VALIDATION_TYPE_ERROR';
  /** JSON pointer (RFC 6901) into the params. */
  pointer: string;
  message: string;
}

/** Returns the first problem of the params, or null. */
export type ParamsCheck = (params: unknown) => ParamsIssue | null;

const FORMATS = [
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'json-pointer',
  'time',
  'uri',
  'uri-reference',
  'uuid',
] as const satisfies FormatName[];

/** Units of work for one check: a few milliseconds, for every schema and all params. */
const CHECK_UNITS = 1_000_000;
/** Units for a part or a keyword of a schema that is applied to a value. Most need less. */
const PART_UNITS = 4;
/** Units for a character of a text with a format. */
const FORMAT_UNITS = 2;
const CHARGE = 'charge:part';
const MOST_ALTERNATIVES = 20;
const LONGEST_KEY = 60;

const meter = new Meter();

const patternEngine = Object.assign(
  (pattern: string) => {
    const regexp = compilePattern(pattern);
    const instructions = regexp.programSize();
    return {
      test: (text: string) => {
        meter.spend(text.length * instructions);
        return regexp.test(text);
      },
    };
  },
  { code: 'not written into code' },
);

const FORMAT_CHECKS = Object.fromEntries(
  FORMATS.map((name) => {
    const holds = holdsOf(fullFormats[name]);
    return [
      name,
      (text: string) => {
        meter.spend(text.length * FORMAT_UNITS);
        return holds(text);
      },
    ];
  }),
);

function holdsOf(format: Format): (text: string) => boolean {
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return format;
  return holdsOf((format as { validate: Format }).validate);
}

/**
 * Compiles a check for the params of a function. The check returns the first problem, or null.
 * Compilation takes milliseconds, so keep the result. The work of a check is bounded: params that
 * take too long are refused.
 *
 * @param schema from a document that `parseAppDocument` accepted.
 * @throws Error if `parseAppDocument` would not accept the schema.
 */
export function compileParamsCheck(schema: JsonObject): ParamsCheck {
  const ajv = safeAjv(
    // Optimising the code takes three times as long as the rest of the compilation, and makes
    // checks little faster.
    { meta: false, validateSchema: false, formats: FORMAT_CHECKS, code: { regExp: patternEngine, optimize: false } },
    meter,
  );
  ajv.addKeyword({
    keyword: CHARGE,
    valid: true,
    compile: (parts: number) => () => {
      meter.spend(parts * PART_UNITS);
      return true;
    },
  });
  meter.startCheck(Infinity);
  const validate = ajv.compile(withWeights(schema, CHARGE));
  const parts = new SchemaWeights(schema).weightOf(schema);
  return (params) => {
    meter.startCheck(CHECK_UNITS);
    try {
      meter.spend(parts * PART_UNITS);
      if (validate(params)) return null;
    } catch (error) {
      if (!(error instanceof TooExpensive)) throw error;
      return { code: 'VALIDATION_TYPE_ERROR', pointer: '', message: 'The params are too large to be checked.' };
    }
    return issueOf(validate.errors ?? []);
  };
}

const ALTERNATIVES = new Set(['anyOf', 'oneOf']);

/**
 * Makes an issue of the last error of Ajv. For `anyOf` and `oneOf`, the errors before it name the
 * alternatives.
 */
function issueOf(errors: ErrorObject[]): ParamsIssue {
  const last = errors.at(-1);
  const pointer = last?.instancePath ?? '';
  const wanted =
    last && ALTERNATIVES.has(last.keyword)
      ? errors.filter((error) => error.instancePath === pointer && error !== last)
      : [];
  const message = [
    ...new Set((wanted.length ? wanted : errors.slice(-1)).slice(0, MOST_ALTERNATIVES).map(messageOf)),
  ].join(' or ');
  return {
    code: last?.keyword === 'required' ? 'VALIDATION_MISSING_FIELD' : 'VALIDATION_TYPE_ERROR',
    pointer,
    message: `${pointer ? `"${pointer.slice(1)}"` : 'The params'} ${message}.`,
  };
}

function messageOf({ keyword, params, schema, message = 'do not match' }: ErrorObject): string {
  if (keyword === 'additionalProperties') return `must not have ${named(String(params['additionalProperty']))}`;
  if (keyword === 'enum')
    return `must be one of ${(schema as unknown[])
      .slice(0, MOST_ALTERNATIVES)
      .map((value) => JSON.stringify(value))
      .join(', ')}`;
  return message;
}

/**
 * Names a key in a message. A key is shown whole or not at all: a part of a secret would not be
 * recognised and masked in logs.
 */
const named = (key: string): string =>
  key.length > LONGEST_KEY ? `a key of ${key.length} characters` : JSON.stringify(key);
