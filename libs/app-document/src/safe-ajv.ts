import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import canonicalize from 'canonicalize';

/**
 * For schemas and values of strangers. Ajv's own `enum`, `const` and `uniqueItems` compare objects with each other one by one, and call
 * `valueOf` of an object that has a field of that name.
 */
export function safeAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false, verbose: true, ...options });
  for (const keyword of ['enum', 'const', 'uniqueItems']) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    compile: (values: unknown[]) => {
      const known = new Set(values.map((value) => canonicalize(value)));
      return (value) => known.has(canonicalize(value));
    },
    error: { message: 'must be equal to one of the allowed values' },
  });
  ajv.addKeyword({
    keyword: 'const',
    compile: (constant: unknown) => {
      const known = canonicalize(constant);
      return (value) => canonicalize(value) === known;
    },
    error: { message: 'must be equal to the constant' },
  });
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (isUnique: boolean) => (items: unknown[]) =>
      !isUnique || new Set(items.map((item) => canonicalize(item))).size === items.length,
    error: { message: 'must not have the same item twice' },
  });
  return ajv;
}
