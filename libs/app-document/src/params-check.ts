import type { ErrorObject } from 'ajv/dist/2020.js';
import { fullFormats, type FormatName } from 'ajv-formats/dist/formats.js';
import type { JsonObject } from './document.js';
import { quote } from './issues.js';
import { compilePattern } from './patterns.js';
import { safeAjv } from './safe-ajv.js';

export interface ParamsIssue {
  code: 'VALIDATION_MISSING_FIELD' | 'VALIDATION_TYPE_ERROR';
  /** RFC 6901, into the params. */
  pointer: string;
  message: string;
}

/** The first thing that is wrong with the params, or null. */
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

/** Characters times instructions: what one check may spend on patterns. About half a second at worst, mostly some milliseconds. */
const PATTERN_BUDGET = 20_000_000;
const MOST_ALTERNATIVES = 20;
let budget = 0;

class TooExpensive extends Error {}

const patternEngine = Object.assign(
  (pattern: string) => {
    const regexp = compilePattern(pattern);
    const instructions = regexp.programSize();
    return {
      test: (text: string) => {
        budget -= text.length * instructions;
        if (budget < 0) throw new TooExpensive();
        return regexp.test(text);
      },
    };
  },
  { code: 'not written into code' },
);

/**
 * Compiles the schema of a function of a document that `parseAppDocument` took; keep the result, it takes milliseconds. What it
 * checks is bounded, whoever wrote the schema and the params.
 *
 * @throws Error when the schema is not one that `parseAppDocument` takes.
 */
export function compileParamsCheck(schema: JsonObject): ParamsCheck {
  const ajv = safeAjv({
    meta: false,
    validateSchema: false,
    formats: Object.fromEntries(FORMATS.map((name) => [name, fullFormats[name]])),
    code: { regExp: patternEngine },
  });
  const validate = ajv.compile(schema);
  return (params) => {
    budget = PATTERN_BUDGET;
    try {
      if (validate(params)) return null;
    } catch (error) {
      if (!(error instanceof TooExpensive)) throw error;
      return { code: 'VALIDATION_TYPE_ERROR', pointer: '', message: 'The params are too long to be checked.' };
    }
    return issueOf(validate.errors ?? []);
  };
}

const ALTERNATIVES = new Set(['anyOf', 'oneOf']);

/** Of several the last one is the one that counts; before it stand what the alternatives wanted. */
function issueOf(errors: ErrorObject[]): ParamsIssue {
  const last = errors.at(-1);
  const pointer = last?.instancePath ?? '';
  const wanted = last && ALTERNATIVES.has(last.keyword) ? errors.filter((error) => error.instancePath === pointer && error !== last) : [];
  const message = [...new Set((wanted.length ? wanted : errors.slice(-1)).slice(0, MOST_ALTERNATIVES).map(messageOf))].join(' or ');
  return {
    code: last?.keyword === 'required' ? 'VALIDATION_MISSING_FIELD' : 'VALIDATION_TYPE_ERROR',
    pointer,
    message: `${pointer ? `"${pointer.slice(1)}"` : 'The params'} ${message}.`,
  };
}

function messageOf({ keyword, params, schema, message = 'do not match' }: ErrorObject): string {
  if (keyword === 'additionalProperties') return `must not have ${quote(String(params['additionalProperty']))}`;
  if (keyword === 'enum')
    return `must be one of ${(schema as unknown[])
      .slice(0, MOST_ALTERNATIVES)
      .map((value) => JSON.stringify(value))
      .join(', ')}`;
  return message;
}
