import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import {
  appDocumentSchema,
  compileParamsCheck,
  documentHash,
  parseAppDocument,
  stepCount,
  toolManifest,
} from './index.js';
import { isObject } from './json.js';
import { operations } from './schema/operations.js';
import type { Schema } from './schema/schema.js';
import { ENVELOPE, SIMPLE } from './testing/documents.js';

/** Fixed seed, so that each run tests the same inputs; set `SEED` to try others. */
const SEED = Number(process.env['SEED'] ?? 18);

const matchesPublishedSchema = new Ajv2020({ strict: false, validateFormats: false }).compile(appDocumentSchema());

/** JSON without templates and without content that is always refused. */
const ORDINARY_JSON = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => !/__proto__|\{\{|\\u/.test(JSON.stringify(value)));

/** A value that matches a schema of this library, or a template. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  const { enum: values, pattern, properties, required, items, minimum = 0, maximum = 9 } = schema;
  if (Array.isArray(values)) return fc.constantFrom(...values);
  switch ([schema['type']].flat()[0]) {
    case 'string':
      return pattern
        ? fc.stringMatching(/^[a-z]{3}$/)
        : fc.constantFrom('text', '{{args.text | default: "x"}}', 'Hello {{prev.name}}!');
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: Number(minimum), max: Number(maximum) }), fc.constant('{{args.count}}'));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(isObject(items) ? valueOf(items) : ORDINARY_JSON, { maxLength: 2 });
    case 'object':
      if (!isObject(properties))
        return fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.constantFrom('a', '{{event.x.0}}'), { maxKeys: 2 });
      return fc.record(
        Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, valueOf(value as Schema)])),
        {
          requiredKeys: (required ?? []) as string[],
        },
      );
    default:
      return ORDINARY_JSON;
  }
}

const CONDITION = fc.letrec((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    fc.record({ field: fc.constant('{{args.x}}'), gte: fc.integer() }),
    fc.record({ and: fc.array(tie('condition'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('condition') }),
  ),
})).condition;

const withoutControl = operations.filter(({ kind }) => kind !== 'control' && kind !== 'secret');
/** Changes that satisfy rules outside of the schema. */
const REPAIRS: Record<string, (params: Record<string, unknown>) => object> = {
  'store.update': ({ kind, set }) => ({ kind, set, id: '1' }),
  'store.delete': ({ kind }) => ({ kind, where: {} }),
  'ui.render': ({ props }) => ({ type: 'Text', props: props ?? {} }),
  'transform.filter': ({ items }) => ({ items, if: { field: '{{item.x}}', eq: 1 } }),
};

const KIND_STEP = fc.oneof(
  ...withoutControl.map(({ kind, action, params }) =>
    valueOf(params).map((value) => {
      const sent = { ...(value as Record<string, unknown>) };
      if (kind === 'http') [sent['url'], sent['json']] = ['https://example.com/{{args.id}}', undefined];
      return {
        kind,
        action,
        params: JSON.parse(JSON.stringify(REPAIRS[`${kind}.${action}`]?.(sent) ?? sent)) as unknown,
      };
    }),
  ),
);

/** Steps in either spelling, at most two levels deep, with unique ids. */
const steps = (depth: number): fc.Arbitrary<unknown[]> =>
  fc
    .array(
      fc.oneof(
        { arbitrary: KIND_STEP, weight: 5 },
        {
          arbitrary: KIND_STEP.map(({ kind, action, params }) => ({ op: `${kind}.${action}`, args: params })),
          weight: 3,
        },
        {
          arbitrary: fc.record({
            kind: fc.constant('emit'),
            action: fc.constantFrom('app.a', 'app.b.c'),
            params: fc.constant({}),
          }),
          weight: 1,
        },
        { arbitrary: fc.constant({ op: 'call', args: { app_id: 'other', function: 'f' } }), weight: 1 },
        ...(depth > 0
          ? [
              {
                arbitrary: fc.record({
                  op: fc.constant('conditional'),
                  if: CONDITION,
                  then: steps(depth - 1),
                  else: fc.constantFrom(null, []),
                }),
                weight: 2,
              },
            ]
          : []),
      ),
      { maxLength: 4 },
    )
    .map((list) => list as Record<string, unknown>[]);

function withIds(list: unknown[], prefix: string): unknown[] {
  return (list as Record<string, unknown>[]).map((step, at) => {
    const id = `${prefix}${at}`;
    return { id, ...step, ...(Array.isArray(step['then']) && { then: withIds(step['then'], `${id}_`) }) };
  });
}

const DOCUMENT = fc
  .record({
    main: steps(2),
    handlers: fc.array(
      fc.record({ kind: fc.constantFrom('function', 'webhook', 'schedule', 'event'), steps: steps(2) }),
      { maxLength: 4 },
    ),
  })
  .map(({ main, handlers }) => ({
    app_id: 'app',
    version: '1.0.0',
    steps: [
      ...handlers.map(({ kind, steps }, at) => ({
        id: `h${at}`,
        kind,
        action: kind === 'event' ? `other.e${at}` : `h${at}`,
        params: { steps: withIds(steps, 's'), ...(kind === 'schedule' && { cron: '*/5 * * * *' }) },
      })),
      ...withIds(main, 'm'),
    ],
  }));

describe('parseAppDocument', () => {
  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withNullPrototype: true,
          withSparseArray: true,
        }),
        (value) => {
          const result = parseAppDocument(value);
          expect(result.ok || result.issues.length > 0).toBe(true);
        },
      ),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('never throws, whatever stands in a document', () => {
    const places = (document: unknown): string[][] =>
      typeof document === 'object' && document !== null
        ? Object.entries(document).flatMap(([key, value]) => [[key], ...places(value).map((path) => [key, ...path])])
        : [];
    const replaced = (document: unknown, [key, ...rest]: string[], value: unknown): unknown => {
      if (key === undefined) return value;
      const copy = (Array.isArray(document) ? [...(document as unknown[])] : { ...(document as object) }) as Record<
        string,
        unknown
      >;
      copy[key] = replaced(copy[key], rest, value);
      return copy;
    };
    for (const document of [SIMPLE, ENVELOPE]) {
      fc.assert(
        fc.property(fc.constantFrom(...places(document)), fc.jsonValue({ maxDepth: 3 }), (place, value) => {
          const result = parseAppDocument(replaced(document, place, value));
          for (const issue of result.ok ? [] : result.issues) expect(issue.message).toMatch(/[.?]$/);
        }),
        { seed: SEED, numRuns: 200 },
      );
    }
  });

  it('takes what it made, and makes the same of it', () => {
    fc.assert(
      fc.property(DOCUMENT, (sent) => {
        const result = parseAppDocument(sent);
        if (!result.ok) throw new Error(JSON.stringify(result.issues));
        expect(parseAppDocument(result.document)).toEqual({ ok: true, document: result.document, warnings: [] });
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('takes nothing that the published schema refuses', () => {
    const isPublished = (value: unknown) =>
      expect([matchesPublishedSchema(value), matchesPublishedSchema.errors]).toEqual([true, null]);
    for (const sent of [SIMPLE, ENVELOPE]) isPublished(sent);
    fc.assert(
      fc.property(DOCUMENT, (sent) => {
        isPublished(sent);
        const result = parseAppDocument(sent);
        if (result.ok) isPublished(result.document);
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  it('counts the steps that were sent', () => {
    const count = (list: unknown): number =>
      Array.isArray(list)
        ? (list as { then?: unknown; params?: { steps?: unknown } }[]).reduce(
            (sum, step) => sum + 1 + count(step.then) + count(step.params?.steps),
            0,
          )
        : 0;
    fc.assert(
      fc.property(DOCUMENT, (sent) => {
        const result = parseAppDocument(sent);
        expect(result.ok && stepCount(result.document)).toBe(count(sent.steps));
      }),
      { seed: SEED, numRuns: 100 },
    );
  });

  it('makes documents with one hash, however their keys stood', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, item]) => [key, shuffled(item)]),
      );
    };
    fc.assert(
      fc.property(DOCUMENT, (sent) => {
        const [one, other] = [parseAppDocument(sent), parseAppDocument(shuffled(sent))];
        expect(one.ok && other.ok && documentHash(one.document) === documentHash(other.document)).toBe(true);
      }),
      { seed: SEED, numRuns: 100 },
    );
  });
});

it('makes manifests whose params can be checked', () => {
  for (const sent of [SIMPLE, ENVELOPE]) {
    const result = parseAppDocument(sent);
    if (!result.ok) throw new Error(JSON.stringify(result.issues));
    for (const { params_schema } of toolManifest(result.document).tools) {
      expect(() => compileParamsCheck(params_schema as never)).not.toThrow();
    }
  }
});
