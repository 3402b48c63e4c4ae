import { parseAppDocument, type AppDocument, type DocumentIssue } from './index.js';
import { ENVELOPE, SIMPLE } from './testing/documents.js';

const documentOf = (value: unknown): AppDocument => {
  const result = parseAppDocument(value);
  if (!result.ok) throw new Error(JSON.stringify(result.issues, null, 2));
  return result.document;
};
const issuesOf = (value: unknown, appId?: string): DocumentIssue[] => {
  const result = parseAppDocument(value, { appId });
  return result.ok ? [] : result.issues;
};
/** Issues as `pointer rule`, ordered by pointer. */
const found = (value: unknown): string[] =>
  issuesOf(value)
    .map(({ pointer, rule }) => `${pointer} ${rule}`)
    .sort();

const step = (id: string, kind = 'log', action = 'info', params: object = { message: id }) => ({
  id,
  kind,
  action,
  params,
});
const simple = (steps: unknown[], more: object = {}) => ({ app_id: 'notes', version: '1.0.0', steps, ...more });
const inFunction = (steps: unknown[], params: object = {}) =>
  simple([{ id: 'f', kind: 'function', action: 'f', params: { ...params, steps } }]);
const IN_FUNCTION = '/steps/0/params/steps';

describe('the simple form', () => {
  it('becomes a document in which nothing is left to a default', () => {
    expect(documentOf(SIMPLE)).toMatchSnapshot();
  });

  it('makes the function main of the top-level steps, as strong as what they do', () => {
    const main = (steps: unknown[]) => documentOf(simple(steps)).app.functions.at(-1);
    expect(main([step('a'), step('b')])).toMatchObject({
      name: 'main',
      action_type: 'read',
      params_schema: { type: 'object' },
      impl: { steps: [{ id: 'a' }, { id: 'b' }] },
    });
    const create = step('c', 'store', 'create', { kind: 'n', data: {} });
    const remove = step('d', 'store', 'delete', { kind: 'n', id: '1' });
    const nested = step('i', 'control', 'if', { if: { field: 1, eq: 1 }, then: [remove], else: [] });
    expect(main([step('a'), create])?.action_type).toBe('write');
    expect(main([create, nested, step('a')])?.action_type).toBe('destructive');
  });

  it('handles all events that begin with something', () => {
    const handler = (type: string) => simple([{ id: 'e', kind: 'event', action: type, params: { steps: [] } }]);
    expect(documentOf(handler('tasks.*')).app.events.subscribes).toMatchObject([{ type: 'tasks.*' }]);
    expect(['*', 'tasks*', 'tasks.*.added'].map((type) => found(handler(type)))).toEqual(
      Array(3).fill(['/steps/0/action value']),
    );
  });

  it('needs no steps at all', () => {
    expect(documentOf(simple([])).app).toMatchObject({ title: 'notes', functions: [] });
  });

  it('takes what a function says of itself over what its steps do, and a call of a function as what that does', () => {
    const calls = (target: string) => step(`to_${target.replace('.', '_')}`, 'call', target, {});
    const declare = (name: string, steps: unknown[], params: object = {}) =>
      step(`declare_${name}`, 'function', name, { ...params, steps });
    const { functions } = documentOf(
      simple([
        declare('ping', [calls('pong')]),
        declare('pong', [calls('ping'), calls('clear')]),
        declare('clear', [step('x', 'store', 'delete', { kind: 'n', where: {} })]),
        declare('foreign', [calls('other.thing')]),
        declare('mild', [calls('clear')], { action_type: 'read' }),
      ]),
    ).app;
    expect(Object.fromEntries(functions.map(({ name, action_type }) => [name, action_type]))).toEqual({
      ping: 'destructive',
      pong: 'destructive',
      clear: 'destructive',
      foreign: 'write',
      mild: 'read',
    });
  });

  it('keeps the later one of two webhooks at one path, and says so', () => {
    const hook = (id: string, path: string) =>
      step(id, 'webhook', path, { steps: [step('log', 'log', 'info', { message: id })] });
    const result = parseAppDocument(simple([hook('first', '/in'), hook('second', 'in/')]));
    expect(result).toMatchObject({
      ok: true,
      document: { app: { webhooks: [{ path: 'in', impl: { steps: [{ params: { message: 'second' } }] } }] } },
      warnings: [{ pointer: '/steps/0/action', rule: 'duplicate' }],
    });
  });
});

describe('the webhooks of a document', () => {
  const hook = (id: string, path: string, params: object = {}) =>
    step(id, 'webhook', path, { steps: [step('log', 'log', 'info', { message: id })], ...params });
  const webhooksOf = (...steps: Parameters<typeof simple>[0]) => {
    const result = parseAppDocument(simple(steps));
    if (!result.ok) return { issues: result.issues.map(({ pointer, rule }) => [pointer, rule]) };
    const { webhooks } = result.document.app;
    return {
      webhooks: webhooks.map(({ path, method }) => [path, method]),
      warnings: result.warnings.map(({ pointer }) => pointer),
    };
  };

  it('may share a path with others that take other methods', () => {
    expect(webhooksOf(hook('verify', 'hub', { method: 'GET' }), hook('events', 'hub'))).toEqual({
      webhooks: [
        ['hub', 'GET'],
        ['hub', 'POST'],
      ],
      warnings: [],
    });
  });

  it('take several methods, listed in one order; of one that is listed alone nothing differs', () => {
    const sent = [['POST', 'GET'], ['GET', 'POST'], ['PUT'], 'PUT'];
    const { webhooks } = webhooksOf(...sent.map((method, at) => hook(`h${at}`, `p${at}`, { method })));
    expect(webhooks?.map(([, method]) => method)).toEqual([['GET', 'POST'], ['GET', 'POST'], 'PUT', 'PUT']);
  });

  it.each([[['HEAD', 'POST']], ['PATCH'], ['OPTIONS']])('may take %j', (method) => {
    expect(webhooksOf(hook('x', 'hub', { method }))).toEqual({ webhooks: [['hub', method]], warnings: [] });
  });

  it('leave to a later one the methods that it takes too', () => {
    expect(
      webhooksOf(
        hook('all', 'hub', { method: ['GET', 'POST', 'PUT'] }),
        hook('events', '/hub/', { method: ['POST', 'DELETE'] }),
      ),
    ).toEqual({
      webhooks: [
        ['hub', ['GET', 'PUT']],
        ['hub', ['POST', 'DELETE']],
      ],
      warnings: ['/steps/0/action'],
    });
  });

  it.each<[unknown, string, string]>([
    ['TRACE', '/steps/0/params/method', 'value'],
    ['head', '/steps/0/params/method', 'value'],
    [['GET', 'get'], '/steps/0/params/method/1', 'value'],
    [['GET', 'GET'], '/steps/0/params/method', 'value'],
    [[], '/steps/0/params/method', 'value'],
    [null, '/steps/0/params/method', 'type'],
  ])('are refused with the method %j', (method, pointer, rule) => {
    expect(webhooksOf(hook('x', 'hub', { method }))).toEqual({ issues: [[pointer, rule]] });
  });

  it.each(['../x', '..', '.', 'a/../b', 'a/..', 'a/./b', '/../x', './x', '//x', 'a//b', 'x//'])(
    'are refused at the path %j',
    (path) => {
      expect(webhooksOf(hook('x', path))).toEqual({ issues: [['/steps/0/action', 'value']] });
    },
  );

  it.each(['a..b', '...', '.well-known/x', '..a/b', 'a./b'])('are taken at the path %j', (path) => {
    expect(webhooksOf(hook('x', path))).toMatchObject({ webhooks: [[path, 'POST']] });
  });
});

describe('the envelope form', () => {
  it('becomes a document in which nothing is left to a default', () => {
    expect(documentOf(ENVELOPE)).toMatchSnapshot();
  });

  it('says the same as the simple form', () => {
    const steps = [step('note', 'store', 'create', { kind: 'notes', data: {} }), step('end', 'control', 'return', {})];
    const envelope = {
      ir_version: '1.0',
      app: {
        id: 'notes',
        version: '1.0.0',
        title: 'notes',
        functions: [
          {
            name: 'f',
            impl: {
              kind: 'declarative',
              steps: steps.map(({ id, kind, action, params }) => ({ id, op: `${kind}.${action}`, args: params })),
            },
          },
        ],
      },
    };
    expect(documentOf(envelope)).toEqual(documentOf(inFunction(steps)));
  });

  it('calls with an event whatever function handles it', () => {
    expect(documentOf(ENVELOPE).app.events.subscribes).toEqual([
      {
        type: 'billing.plan_changed',
        impl: {
          kind: 'declarative',
          steps: [{ id: 'call', kind: 'call', action: 'clear_tasks', params: { params: '{{event}}' } }],
        },
      },
    ]);
  });
});

it.each([SIMPLE, ENVELOPE])('takes the canonical form and leaves it as it is', (sent) => {
  const document = documentOf(sent);
  expect(documentOf(document)).toEqual(document);
});

it('leaves alone what it was given', () => {
  const before = JSON.stringify(SIMPLE);
  const document = documentOf(SIMPLE);
  document.app.capabilities.push('more');
  expect(JSON.stringify(SIMPLE)).toBe(before);
});

describe('what is wrong', () => {
  it('is told at once, each where it is', () => {
    const document = {
      app_id: 'notes',
      version: '1.0',
      author: 'me',
      steps: [
        step('a', 'store', 'lst', { kind: 'x' }),
        step('b', 'stor', 'list', {}),
        step('c', 'store', 'list', { kind: 'a b', limit: 'many', were: {} }),
        { id: 'd e', kind: 'log', action: 'info' },
        step('f', 'function', 'f', { steps: [step('g', 'function', 'g', { steps: [] })] }),
        step('h', 'schedule', 'h', { cron: '61 * * * *', steps: [] }),
        7,
      ],
    };
    expect(found(document)).toEqual([
      '/author unknown_key',
      '/steps/0/action unknown_operation',
      '/steps/1/kind unknown_operation',
      '/steps/2/params/kind value',
      '/steps/2/params/limit type',
      '/steps/2/params/were unknown_key',
      '/steps/3/id value',
      '/steps/4/params/steps/0/kind misplaced_declaration',
      '/steps/5/params/cron cron',
      '/steps/6 type',
      '/version value',
    ]);
  });

  it.each<[string, unknown, string[]]>([
    ['no object', 'notes', [' form']],
    ['neither form', { app_id: 'notes' }, [' form']],
    ['both forms', { steps: [], app: {} }, [' form']],
    ['no version', { app_id: 'n', steps: [] }, [' required']],
    ['an unknown ir_version', simple([], { ir_version: '2.0' }), ['/ir_version value']],
    ['a missing param', inFunction([step('a', 'store', 'get', { kind: 'n' })]), [`${IN_FUNCTION}/0/params required`]],
    [
      'a missing id',
      inFunction([{ kind: 'log', action: 'info', params: { message: 'x' } }]),
      [`${IN_FUNCTION}/0 required`],
    ],
    ['an id twice', inFunction([step('a'), step('a')]), [`${IN_FUNCTION}/1/id duplicate`]],
    [
      'an id twice, once inside',
      inFunction([step('a'), step('i', 'control', 'if', { if: { field: 1, eq: 1 }, then: [step('a')] })]),
      [`${IN_FUNCTION}/1/params/then/0/id duplicate`],
    ],
    [
      'an id of a declaration twice',
      simple([step('a', 'function', 'f', { steps: [] }), step('a')]),
      ['/steps/1/id duplicate'],
    ],
    ['an id that objects inherit', inFunction([step('constructor')]), [`${IN_FUNCTION}/0/id reserved_name`]],
    [
      'a function twice',
      simple([step('a', 'function', 'f', { steps: [] }), step('b', 'function', 'f', { steps: [] })]),
      ['/steps/1/action duplicate'],
    ],
    [
      'a function main beside top-level steps',
      simple([step('a', 'function', 'main', { steps: [] }), step('b')]),
      ['/steps/1 duplicate'],
    ],
    [
      'a function that the skeleton makes',
      {
        ...inFunction([]),
        modules: { m: 'export default 1;' },
        skeleton: [{ section: 'x', producer: { kind: 'code', module: 'm' } }],
        steps: [step('a', 'function', 'skeleton_refresh_x', { steps: [] })],
      },
      ['/steps/0/action reserved_name'],
    ],
    [
      'a jump to nowhere',
      inFunction([step('a', 'control', 'goto', { to: 'b' })]),
      [`${IN_FUNCTION}/0/params/to unknown_step`],
    ],
    [
      'a jump into another step',
      inFunction([step('i', 'control', 'if', { if: { field: 1, eq: 1 }, then: [step('a')], else: 'a' })]),
      [`${IN_FUNCTION}/0/params/else unknown_step`],
    ],
    [
      'a function that is not there',
      inFunction([step('a', 'call', 'g', {})]),
      [`${IN_FUNCTION}/0/action unknown_function`],
    ],
    [
      'an own function that is not there',
      inFunction([step('a', 'call', 'notes.g', {})]),
      [`${IN_FUNCTION}/0/action unknown_function`],
    ],
    [
      'a function chosen by a template',
      inFunction([step('a', 'call', '{{args.f}}', {})]),
      [`${IN_FUNCTION}/0/action value`],
    ],
    [
      'an event of another app',
      inFunction([step('a', 'emit', 'mail.sent', {})]),
      [`${IN_FUNCTION}/0/action event_prefix`],
    ],
    [
      'a declared event of another app',
      simple([], { events: { emits: ['notes.a', 'mail.b', { type: 'mail.c' }] } }),
      ['/events/emits/1 event_prefix', '/events/emits/2/type event_prefix'],
    ],
    [
      'a secret that is not declared',
      inFunction([step('a', 'secret', 'get', { name: 'key' })]),
      [`${IN_FUNCTION}/0/params/name unknown_secret`],
    ],
    [
      'an update of everything',
      inFunction([step('a', 'store', 'update', { kind: 'n', set: {} })]),
      [`${IN_FUNCTION}/0/params required`],
    ],
    [
      'two bodies',
      inFunction([step('a', 'http', 'post', { url: 'https://example.com', json: 1, body: 'x' })]),
      [`${IN_FUNCTION}/0/params/body value`],
    ],
    [
      'an address of a file',
      inFunction([step('a', 'http', 'get', { url: 'file:///etc/passwd' })]),
      [`${IN_FUNCTION}/0/params/url value`],
    ],
    ['nothing to draw', inFunction([step('a', 'ui', 'render', {})]), [`${IN_FUNCTION}/0/params required`]],
    [
      'a condition with two tests',
      inFunction([step('a', 'control', 'if', { if: { field: 1, eq: 1, neq: 2 }, then: null })]),
      [`${IN_FUNCTION}/0/params/if condition`],
    ],
    [
      'a condition inside of others',
      inFunction([step('a', 'control', 'if', { if: { or: [{ field: 1, eq: 1 }, { not: { and: [] } }] }, then: null })]),
      [`${IN_FUNCTION}/0/params/if/or/1/not condition`],
    ],
    [
      'a template without an end',
      inFunction([step('a', 'log', 'info', { message: 'Hello {{args.name' })]),
      [`${IN_FUNCTION}/0/params/message template`],
    ],
    [
      'a template that knows no such root',
      inFunction([step('a', 'log', 'info', { message: '{{params.name}}' })]),
      [`${IN_FUNCTION}/0/params/message template`],
    ],
    [
      'a template of a step that is not there',
      inFunction([step('a', 'log', 'info', { message: '{{steps.b.x}}' })]),
      [`${IN_FUNCTION}/0/params/message unknown_step`],
    ],
    [
      'a template of items outside of a list',
      inFunction([step('a', 'transform', 'map', { items: '{{item}}', to: '{{item.x}}' })]),
      [`${IN_FUNCTION}/0/params/items template`],
    ],
    [
      'a path of 17 parts',
      inFunction([step('a', 'log', 'info', { message: `{{args${'.x'.repeat(16)}}}` })]),
      [`${IN_FUNCTION}/0/params/message template`],
    ],
    [
      'params that are no schema',
      inFunction([], { params_schema: { type: 'object', properties: { a: { type: 'txt' } } } }),
      ['/steps/0/params/params_schema/properties/a/type json_schema'],
    ],
    [
      'a property that is no schema',
      inFunction([], { params_schema: { a: { type: 'txt' } } }),
      ['/steps/0/params/params_schema/a/type json_schema'],
    ],
    [
      'params that are no object',
      inFunction([], { params_schema: { type: 'string' } }),
      ['/steps/0/params/params_schema/type json_schema'],
    ],
    [
      'six fields of a schedule',
      simple([step('a', 'schedule', 's', { cron: '0 0 * * * *', steps: [] })]),
      ['/steps/0/params/cron cron'],
    ],
    [
      'a day that never comes',
      simple([step('a', 'schedule', 's', { cron: '0 0 31 2 *', steps: [] })]),
      ['/steps/0/params/cron cron'],
    ],
    [
      'a random schedule',
      simple([step('a', 'schedule', 's', { cron: 'H * * * *', steps: [] })]),
      ['/steps/0/params/cron cron'],
    ],
    [
      'a setting whose default is of another type',
      simple([], { settings: [{ name: 'a', type: 'integer', default: 1.5 }] }),
      ['/settings/0/default value'],
    ],
    [
      'a setting whose default is none of its values',
      simple([], { settings: [{ name: 'a', type: 'integer', default: 1, enum: [2, 'x'] }] }),
      ['/settings/0/default value', '/settings/0/enum/1 value'],
    ],
    [
      'an impl of no known kind',
      {
        ir_version: '1.0',
        app: { id: 'a', version: '1.0.0', title: 'A', functions: [{ name: 'f', impl: { kind: 'wasm' } }] },
      },
      ['/app/functions/0/impl/kind value'],
    ],
    [
      'code without a module',
      {
        ir_version: '1.0',
        app: { id: 'a', version: '1.0.0', title: 'A', functions: [{ name: 'f', impl: { kind: 'code', entry: 'e' } }] },
      },
      ['/app/functions/0/impl required'],
    ],
    [
      'a handler of an event that is no function',
      simple([], { events: { subscribes: [{ type: 'a.b', handler: 'f' }, { type: 'a.c' }] } }),
      ['/events/subscribes/0/handler unknown_function', '/events/subscribes/1 required'],
    ],
    [
      'a panel drawn in no known way',
      simple([], { ui: { panels: [{ panel_id: 'p', slot: 'top', render: { kind: 'html' } }] } }),
      ['/ui/panels/0/render/kind value', '/ui/panels/0/slot value'],
    ],
  ])('%s', (_what, document, expected) => {
    expect(found(document)).toEqual(expected);
  });

  it('is an id that is not the one that was asked for', () => {
    expect(issuesOf(simple([]), 'tasks')).toEqual([
      { pointer: '/app_id', rule: 'app_id_mismatch', message: 'This document must have the app id "tasks".' },
    ]);
    expect(issuesOf(ENVELOPE, 'tasks')).toEqual([]);
  });

  it('reads as a sentence that says what would be right', () => {
    const messages = issuesOf({
      app_id: 'my app',
      version: '1.0.0',
      steps: [
        step('a', 'store', 'lst', {}),
        step('b', 'store', 'get', { kind: 'n', id: 1, what: 1 }),
        step('c', 'http', 'get', { url: 'https://x.org', timeout: 500 }),
      ],
    }).map(({ message }) => message);
    expect(messages.sort()).toEqual([
      '"my app" must be 1 to 64 letters, digits, "_" and "-", beginning with a letter or digit.',
      '"store" has no action "lst". Known actions: create, get, list, update, delete, once, count, set. Did you mean "list"?',
      'The key "what" is not known here. Known keys: kind, id.',
      'This must be a text, but is a number.',
      'This must be at most 180.',
    ]);
  });

  it('does not hide behind a step that cannot be read', () => {
    const broken = step('i', 'control', 'if', { then: [step('inner')] });
    expect(found(inFunction([broken, step('log', 'log', 'info', { message: '{{steps.inner.x}}' })]))).toEqual([
      `${IN_FUNCTION}/0/params required`,
    ]);
  });
});

describe('limits', () => {
  const functions = (count: number) =>
    simple(Array.from({ length: count }, (_, at) => step(`d${at}`, 'function', `f${at}`, { steps: [] })));
  const steps = (count: number) => inFunction(Array.from({ length: count }, (_, at) => step(`s${at}`)));
  /** Nested `if` steps with step lists at this depth. */
  const nested = (depth: number): unknown[] =>
    depth === 1
      ? [step('last')]
      : [step(`i${depth}`, 'control', 'if', { if: { field: 1, eq: 1 }, then: nested(depth - 1) })];

  it.each([
    ['100 functions', functions(100), functions(101), '/steps too_many'],
    ['200 steps in a function', steps(200), steps(201), `${IN_FUNCTION} too_many`],
    [
      '4 lists of steps in each other',
      inFunction(nested(4)),
      inFunction(nested(5)),
      `${IN_FUNCTION}/0/params/then/0/params/then/0/params/then/0/params/then nesting`,
    ],
    [
      'an id of 64 characters',
      inFunction([step('a'.repeat(64))]),
      inFunction([step('a'.repeat(65))]),
      `${IN_FUNCTION}/0/id value`,
    ],
    [
      '256 KiB',
      inFunction([step('a', 'log', 'info', { message: 'é'.repeat(130_000) })]),
      inFunction([step('a', 'log', 'info', { message: 'é'.repeat(131_072) })]),
      ' document_size',
    ],
  ])('%s', (_what, most, more, issue) => {
    expect(found(most)).toEqual([]);
    expect(found(more)).toEqual([issue]);
  });

  it('count what is left to defaults too', () => {
    const get = (at: number) => step(`g${at}`, 'http', 'get', { url: 'https://example.com' });
    const sent = simple(
      Array.from({ length: 20 }, (_, f) =>
        step(`d${f}`, 'function', `f${f}`, { steps: Array.from({ length: 160 }, (_, at) => get(at)) }),
      ),
    );
    expect(JSON.stringify(sent).length).toBeLessThan(256 * 1024);
    expect(found(sent)).toEqual([' document_size']);
  });
});

describe('a template of a param', () => {
  const schema = (more: object) => ({ type: 'object', properties: { text: { type: 'string' } }, ...more });
  const issuesOf = (params_schema: object | null, template: string) => {
    const steps = [{ id: 'a', kind: 'log', action: 'info', params: { message: template } }];
    const declared = {
      id: 'f',
      kind: 'function',
      action: 'f',
      params: { description: 'x', ...(params_schema && { params_schema }), steps },
    };
    const result = parseAppDocument({ app_id: 'notes', version: '1.0.0', steps: [declared] });
    return result.ok ? [] : result.issues.map(({ pointer, rule, message }) => `${pointer} ${rule} ${message}`);
  };
  const closed = schema({ additionalProperties: false });

  it.each(['{{ args.txet }}', '{{ event.txet | upper }}', 'Noted: {{ args.txet }}!'])(
    'that the function cannot have is an issue: %s',
    (template) => {
      expect(issuesOf(closed, template)).toEqual([
        '/steps/0/params/steps/0/params/message unknown_param The function has no param "txet". Its params: text. Did you mean "text"?',
      ]);
    },
  );

  it.each([
    [closed, '{{ args.text }}'],
    [closed, '{{ args }}'],
    // Additional properties are allowed.
    [schema({}), '{{ args.txet }}'],
    [schema({ additionalProperties: false, patternProperties: { '^t': {} } }), '{{ args.txet }}'],
    [null, '{{ args.txet }}'],
  ])('that it may have is none: %j %s', (params, template) => {
    expect(issuesOf(params, template)).toEqual([]);
  });
});
