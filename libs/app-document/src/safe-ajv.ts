import { _, str, type KeywordErrorDefinition } from 'ajv';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import { JsonSet, type Meter } from './meter.js';

/**
 * An Ajv for untrusted schemas and values. Ajv's own `enum`, `const` and `uniqueItems` compare
 * objects pair by pair, and call `valueOf` of an object with a field of that name; its keywords for
 * lengths and counts each read the whole value. The replacements here charge their work to the
 * meter.
 */
export function safeAjv(options: Options, meter: Meter): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false, verbose: true, ...options });
  for (const keyword of ['enum', 'const', 'uniqueItems', ...Object.keys(SIZES)]) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    compile: (values: unknown[]) => {
      const known = new JsonSet(meter, values);
      return (value) => known.has(value);
    },
    error: { message: 'must be equal to one of the allowed values' },
  });
  ajv.addKeyword({
    keyword: 'const',
    compile: (constant: unknown) => {
      const known = new JsonSet(meter, [constant]);
      return (value) => known.has(value);
    },
    error: { message: 'must be equal to the constant' },
  });
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (isUnique: boolean) => (items: unknown[]) => {
      const seen = new JsonSet(meter);
      return !isUnique || items.every((item) => seen.add(item));
    },
    error: { message: 'must not have the same item twice' },
  });
  for (const [keyword, { type, holds, error }] of Object.entries(SIZES)) {
    ajv.addKeyword({
      keyword,
      type,
      schemaType: 'number',
      compile: (limit: number) => (value: string | object) => holds(value, limit, meter),
      error,
    });
  }
  return ajv;
}

interface Size {
  type: 'string' | 'object';
  holds: (value: string | object, limit: number, meter: Meter) => boolean;
  error: KeywordErrorDefinition;
}

const sizeError = (than: string, of: string): KeywordErrorDefinition => ({
  message: ({ schemaCode }) => str`must NOT have ${than} than ${schemaCode} ${of}`,
  params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
});

const SIZES: Record<string, Size> = {
  minLength: {
    type: 'string',
    holds: (text, limit, meter) => characters(text as string, meter) >= limit,
    error: sizeError('fewer', 'characters'),
  },
  maxLength: {
    type: 'string',
    holds: (text, limit, meter) => characters(text as string, meter) <= limit,
    error: sizeError('more', 'characters'),
  },
  minProperties: {
    type: 'object',
    holds: (object, limit, meter) => fields(object as object, meter) >= limit,
    error: sizeError('fewer', 'properties'),
  },
  maxProperties: {
    type: 'object',
    holds: (object, limit, meter) => fields(object as object, meter) <= limit,
    error: sizeError('more', 'properties'),
  },
};

const HIGH = /[\ud800-\udbff](?=[\udc00-\udfff])/g;

/** Number of Unicode code points, as JSON Schema counts them. */
function characters(text: string, meter: Meter): number {
  meter.spend(text.length / 4);
  return text.length - (text.match(HIGH)?.length ?? 0);
}

function fields(object: object, meter: Meter): number {
  const count = Object.keys(object).length;
  meter.spend(count);
  return count;
}
