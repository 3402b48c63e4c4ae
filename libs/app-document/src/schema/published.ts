import { COMPARISONS, DECLARATION_KINDS, type DeclarationKind, type JsonObject, type JsonValue } from '../document.js';
import { isObject } from '../json.js';
import {
  codeReference,
  declarations,
  declarative,
  envelopeForm,
  opShape,
  simpleForm,
  stepShape,
  tree,
  type Inner,
} from './forms.js';
import {
  actionsOf,
  CALL,
  CONDITION,
  EMIT,
  findOperation,
  operations,
  SHORT_OPS,
  type Operation,
} from './operations.js';
import { object, text, type Schema } from './schema.js';

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const is = (key: string, value: string): Schema => ({ properties: { [key]: { const: value } }, required: [key] });

const INNER: Inner = {
  implementation: ref('implementation'),
  render: ref('render'),
  steps: { type: 'array', description: 'Steps, run in this order.', items: ref('step') },
  topLevelSteps: {
    type: 'array',
    description: 'Steps that declare functions and triggers. All other steps form the function `main`.',
    items: ref('topLevelStep'),
  },
};

const EXAMPLES: JsonValue[] = [
  {
    app_id: 'notes',
    version: '1.0.0',
    name: 'Notes',
    steps: [
      {
        id: 'add',
        kind: 'function',
        action: 'add_note',
        params: {
          description: 'Keeps a note for you.',
          params_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
          steps: [
            {
              id: 'note',
              kind: 'store',
              action: 'create',
              params: { kind: 'notes', data: { text: '{{ args.text }}' } },
            },
            { id: 'done', kind: 'control', action: 'return', params: { data: '{{ steps.note }}', summary: 'Noted.' } },
          ],
        },
      },
    ],
  },
  {
    ir_version: '1.0',
    app: {
      id: 'notes',
      version: '1.0.0',
      title: 'Notes',
      functions: [
        {
          name: 'count_notes',
          params_schema: {},
          impl: { kind: 'declarative', steps: [{ id: 'count', op: 'store.count', args: { kind: 'notes' } }] },
        },
      ],
    },
  },
];

/**
 * JSON Schema of both forms, made for editors: completion, descriptions, and as much validation as
 * a schema can do.
 */
export function appDocumentSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'App document',
    description:
      'An app of the platform: its functions, webhooks, schedules, event handlers, permissions and user interface.',
    type: 'object',
    if: { required: ['app'] },
    then: ref('envelopeForm'),
    else: ref('simpleForm'),
    examples: EXAMPLES,
    $defs: {
      simpleForm: simpleForm(INNER),
      envelopeForm: envelopeForm(INNER),
      implementation: byKind('Implementation: steps or code.', {
        declarative: declarative(INNER.steps),
        code: codeReference,
      }),
      render: byKind('Content of the panel.', {
        static: tree('static'),
        template: tree('template'),
        code: codeReference,
      }),
      step: { type: 'object', if: { required: ['op'] }, then: ref('opStep'), else: ref('kindStep') },
      topLevelStep: {
        type: 'object',
        if: { properties: { kind: { enum: [...DECLARATION_KINDS] } }, required: ['kind'] },
        then: ref('declaration'),
        else: ref('step'),
      },
      declaration: declarationStep(),
      kindStep: kindStep(),
      opStep: opStep(),
      condition: condition(),
      ...Object.fromEntries(operations.map((operation) => [paramsName(operation), paramsOf(operation)])),
    },
  };
}

const paramsName = ({ kind, action }: Operation): string => `${kind}.${action}`;

function byKind(description: string, kinds: Record<string, Schema>): Schema {
  return {
    type: 'object',
    description,
    required: ['kind'],
    properties: { kind: { enum: Object.keys(kinds) } },
    allOf: Object.entries(kinds).map(([kind, schema]) => ({ if: is('kind', kind), then: schema })),
  };
}

interface Choice {
  value: string;
  description: string;
  /** Schema that applies if this value is chosen. */
  then: Schema;
}

/** Schema of a text with these values. Editors show the descriptions next to the values. */
const choiceOf = (choices: readonly Choice[], description: string): Schema => ({
  type: 'string',
  description,
  enum: choices.map(({ value }) => value),
  enumDescriptions: choices.map((choice) => choice.description),
});

const consequences = (key: string, choices: readonly Choice[]): Schema[] =>
  choices.map(({ value, then }) => ({ if: is(key, value), then }));

const propertyOf = (schema: Schema, key: string): Schema => (schema['properties'] as JsonObject)[key] as Schema;

/** Adds the schema of the params under `key`. The key is required if one of the params is. */
const withParams = (key: string, schema: Schema, of: Schema): Schema => ({
  properties: { [key]: schema },
  ...((of['required'] as string[]).length > 0 && { required: [key] }),
});

function stepOfKinds(kinds: readonly Choice[]): Schema {
  return {
    ...object('', {
      'id!': propertyOf(stepShape, 'id'),
      'kind!': choiceOf(kinds, 'Kind of the step.'),
      'action!': text('Action of the step, or the name of the called function, the event or the declaration.'),
      params: { type: 'object', default: {} },
    }),
    allOf: consequences('kind', kinds),
  };
}

function declarationStep(): Schema {
  const declared = declarations(INNER);
  const choice = (kind: DeclarationKind, description: string): Choice => {
    const { name, params } = declared[kind];
    const body = { oneOf: [{ required: ['steps'] }, { required: ['code'] }] };
    return {
      value: kind,
      description,
      then: { properties: { action: name, params: { ...params, ...body } }, required: ['params'] },
    };
  };
  return stepOfKinds([
    choice('function', 'A function that can be called.'),
    choice('webhook', 'A webhook that other systems call.'),
    choice('schedule', 'A schedule.'),
    choice('event', 'A handler for events.'),
  ]);
}

const NAMED = [CALL, EMIT];

function kindStep(): Schema {
  const kinds = [...new Set(operations.map(({ kind }) => kind))].map((kind): Choice => {
    const actions = operations
      .filter((operation) => operation.kind === kind)
      .map((operation): Choice => {
        const { action, description, params } = operation;
        return { value: action, description, then: withParams('params', ref(paramsName(operation)), params) };
      });
    const description = `Actions: ${actionsOf(kind).join(', ')}.`;
    return {
      value: kind,
      description,
      then: { properties: { action: choiceOf(actions, description) }, allOf: consequences('action', actions) },
    };
  });
  const named = NAMED.map(({ kind, action, params, description }): Choice => {
    return { value: kind, description, then: { properties: { action, params: templatable(params) } } };
  });
  return stepOfKinds([...kinds, ...named]);
}

/** Schema of a step in the envelope form, `{id, op, args}`. */
function opStep(): Schema {
  const ops = operations.map((operation): Choice => {
    const { description, params } = operation;
    return { value: paramsName(operation), description, then: withParams('args', ref(paramsName(operation)), params) };
  });
  const short = Object.entries(SHORT_OPS).map(([value, name]): Choice => {
    const { description, then } = ops.find((op) => op.value === name) as Choice;
    return { value, description, then };
  });
  const named = NAMED.map(({ kind, args, description }): Choice => {
    return { value: kind, description, then: withParams('args', templatable(args), args) };
  });
  const choices = [...ops, ...short, ...named];
  const branches = propertyOf(paramsOf(findOperation('control', 'if') as Operation), 'then');
  return {
    type: 'object',
    if: is('op', 'conditional'),
    then: object('Continues with `then` or `else`, depending on a condition.', {
      'id!': propertyOf(opShape, 'id'),
      'op!': { const: 'conditional' },
      'if!': ref('condition'),
      'then!': branches,
      else: { ...branches, default: null },
    }),
    else: {
      ...object('', {
        'id!': propertyOf(opShape, 'id'),
        'op!': choiceOf(
          [
            ...choices,
            {
              value: 'conditional',
              description: 'Continues with `then` or `else`, depending on a condition.',
              then: {},
            },
          ],
          'Action of the step, as `kind.action`.',
        ),
        args: { type: 'object', default: {} },
      }),
      allOf: consequences('op', choices),
    },
  };
}

function paramsOf({ params, literal, description }: Operation): Schema {
  const properties = Object.entries(params['properties'] as Record<string, Schema>).map(
    ([name, schema]): [string, Schema] => {
      if (schema === CONDITION) return [name, ref('condition')];
      if (!literal.includes(name)) return [name, templatable(schema)];
      return [name, Array.isArray(schema['type']) ? { ...schema, items: ref('step') } : schema];
    },
  );
  return { ...params, description, properties: Object.fromEntries(properties) };
}

/** Schema for a value of this schema, or for a template that produces it. */
function templatable(schema: Schema): Schema {
  const { type, properties, items, additionalProperties, description, default: byDefault, ...rules } = schema;
  if (type === undefined) return schema;
  const about = {
    ...(description !== undefined && { description }),
    ...(byDefault !== undefined && { default: byDefault }),
  };
  const types = [type].flat() as string[];
  if (types.includes('string')) {
    return Object.keys(rules).length
      ? {
          ...about,
          anyOf: [
            { type, ...rules },
            { type: 'string', pattern: '\\{\\{' },
          ],
        }
      : schema;
  }
  const inner = {
    ...(isObject(properties) && { properties: mapValues(properties, templatable) }),
    ...(isObject(items) && { items: templatable(items) }),
    ...(isObject(additionalProperties) && { additionalProperties: templatable(additionalProperties) }),
    ...(typeof additionalProperties === 'boolean' && { additionalProperties }),
  };
  return { ...about, ...rules, ...inner, type: [...types, 'string'], pattern: '^\\{\\{[^]*\\}\\}$' };
}

const mapValues = (object: JsonObject, change: (value: Schema) => Schema): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value as Schema)]));

function condition(): Schema {
  const part = (properties: Record<string, Schema>) => object('', properties);
  const parts = { type: 'array', items: ref('condition'), minItems: 1 };
  const comparison = object(
    'Compares a value: `eq` and `neq` as text, `gt` to `lte` as numbers; `in` searches a list, a text or the keys of a map.',
    {
      'field!': { description: 'Value to compare, usually a template.' },
      ...Object.fromEntries(COMPARISONS.map((test) => [test, {}])),
    },
    { minProperties: 2, maxProperties: 2 },
  );
  return {
    type: 'object',
    description: 'A condition.',
    oneOf: [comparison, part({ 'and!': parts }), part({ 'or!': parts }), part({ 'not!': ref('condition') })],
  };
}
