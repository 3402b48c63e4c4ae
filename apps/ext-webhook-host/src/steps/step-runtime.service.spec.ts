import { ExtensionError } from '@platform/extension-sdk/runtime';
import { createHmac } from 'node:crypto';
import type { TracedStep } from '../handlers/handler-runtime.js';
import { documentOf, runSteps, step, type SampleRun } from '../testing/step-runs.js';
import { webhookEvent } from '../webhooks/running/webhook-event.js';
import { compileApp } from '../documents/compile-app.js';

const note = (id: string) => step(id, 'log.info', { message: id });
const branch = (id: string, condition: object, then: unknown, otherwise?: unknown) =>
  step(id, 'control.if', { if: condition, then, ...(otherwise !== undefined && { else: otherwise }) });
const YES = { field: 1, eq: 1 };
const NO = { field: 1, eq: 2 };

/** Runs steps. Returns the ids of the executed ones, in order. */
async function path(steps: unknown[], more: Partial<SampleRun> = {}): Promise<string> {
  const { trace } = await runSteps({ steps, ...more });
  return trace.map(({ id }) => id).join(' ');
}

describe('a run goes', () => {
  it.each<[string, unknown[], string]>([
    ['from step to step', [note('a'), note('b')], 'a b'],
    ['nowhere without steps', [], ''],
    ['on behind a list of steps', [branch('if', YES, [note('a'), note('b')], []), note('c')], 'if a b c'],
    ['on behind the other list', [branch('if', NO, [note('a')], [note('b')]), note('c')], 'if b c'],
    ['on where there is nothing to do', [branch('if', NO, [note('a')], []), note('c')], 'if c'],
    ['to its end by null', [branch('if', YES, null, 'c'), note('c')], 'if'],
    ['to its end where an else is left out', [branch('if', NO, 'c'), note('c')], 'if'],
    ['to a step and on from there', [branch('if', YES, 'c'), note('b'), note('c'), note('d')], 'if c d'],
    ['by goto', [step('go', 'control.goto', { to: 'c' }), note('b'), note('c')], 'go c'],
    [
      'out of lists by goto, to a list around them',
      [
        branch('if', YES, [branch('in', YES, [step('go', 'control.goto', { to: 'c' }), note('x')]), note('y')]),
        note('b'),
        note('c'),
        note('d'),
      ],
      'if in go c d',
    ],
    [
      'to the list that it is in',
      [branch('if', YES, [branch('in', YES, 'z'), note('y'), note('z')]), note('b')],
      'if in z b',
    ],
    [
      'on behind every list around',
      [branch('a', YES, [branch('b', YES, [branch('c', YES, [note('d')])])]), note('e')],
      'a b c d e',
    ],
    ['no further than a return', [step('r', 'control.return', {}), note('a')], 'r'],
  ])('%s', async (_what, steps, expected) => {
    expect(await path(steps)).toBe(expected);
  });

  it('back, until a condition holds', async () => {
    const steps = [
      step('n', 'transform.set', { value: 'x{{ steps.n.value }}' }),
      branch('more', { field: '{{ steps.n.value }}', neq: 'xxx' }, 'n', []),
      step('r', 'control.return', { data: '{{ steps.n.value }}' }),
    ];
    const { data, trace } = await runSteps({ steps });
    expect(data).toBe('xxx');
    expect(trace.map(({ id }) => id).join(' ')).toBe('n more n more n more r');
    expect(trace[1]?.result).toEqual({ next: 'n' });
    expect(trace[5]?.result).toEqual({ next: 'r' });
  });
});

describe('a result', () => {
  it('is that of the last step, or what return says', async () => {
    expect(await runSteps({ steps: [step('a', 'transform.set', { value: 1 })] })).toMatchObject({
      data: { value: 1 },
      summary: null,
      ui: null,
    });
    expect(await runSteps({ steps: [] })).toMatchObject({ data: null, summary: null, ui: null });
    const steps = [
      step('a', 'transform.set', { value: 1 }),
      step('r', 'control.return', { summary: 'Did {{ prev.value }}.' }),
    ];
    expect(await runSteps({ steps })).toMatchObject({ data: null, summary: 'Did 1.' });
    expect(
      await runSteps({ steps: [step('r', 'control.return', { data: 1, status_code: 404, body: 'x' })] }),
    ).toMatchObject({ data: 1 });
  });

  it('of a webhook is what it returns and nothing else', async () => {
    const answer = async (...steps: unknown[]) => (await runSteps({ steps, webhook: true, args: { n: 201 } })).data;
    expect(await answer(step('a', 'transform.set', { value: 'internal' }))).toBeNull();
    expect(await answer(step('r', 'control.return', { status_code: '{{ event.n }}' }))).toEqual({ status_code: 201 });
    expect(await answer(step('r', 'control.return', { data: { ok: true } }))).toEqual({ ok: true });
    expect(await answer(step('r', 'control.return', { data: { ok: true }, status_code: 202 }))).toEqual({
      status_code: 202,
      body: { ok: true },
    });
    const whole = {
      status_code: 200,
      headers: { 'X-A': '{{ event.n }}', 'X-None': '{{ event.none }}' },
      body: '{{ event.n }}',
    };
    expect(await answer(step('r', 'control.return', whole))).toEqual({
      status_code: 200,
      headers: { 'X-A': '201' },
      body: 201,
    });
  });

  it('of a webhook is made of the request as it came', async () => {
    const body = Buffer.from('{"id": 1}\r\n');
    const signature = createHmac('sha256', 'key').update(body).digest('hex');
    const rawHeaders = ['X-Signature', signature, 'Content-Type', 'application/json'];
    const event = webhookEvent({ method: 'POST', url: '/v1/ext/notes/webhook/f?a=b', rawHeaders, body });
    const verify = { data: '{{ event.body }}', secret: 'key', signature: '{{ event.headers.x-signature }}' };
    const steps = [
      step('v', 'crypto.hmac_verify', verify),
      step('r', 'control.return', {
        body: ['{{ prev.valid }}', '{{ event.json.id }}', '{{ event.query_params.a }}', '{{ event.method }}'],
      }),
    ];
    const context = { webhook: { receivedAt: new Date() } };
    expect((await runSteps({ steps, webhook: true, args: event, context })).data).toEqual({
      body: [true, 1, 'b', 'POST'],
    });
  });

  it('has at most 256 KiB', async () => {
    const text = 'é'.repeat(131_071); // two bytes each, plus two quotes
    expect(
      (await runSteps({ steps: [step('r', 'control.return', { data: '{{ args.t }}' })], args: { t: text } })).data,
    ).toBe(text);
    await expect(
      runSteps({ steps: [step('r', 'control.return', { data: '{{ args.t }}' })], args: { t: `${text}x` } }),
    ).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
      message: 'The result may have at most 256 KiB.',
    });
  });
});

describe('a failure', () => {
  it('of the app is told in its own words', async () => {
    const fail = step('f', 'control.fail', { error: 'No {{ args.what }}.', code: '{{ args.code }}', retryable: true });
    const failed = (args: object) => runSteps({ steps: [fail], args });
    await expect(failed({ what: 'account', code: 'NOT_CONNECTED' })).rejects.toMatchObject({
      code: 'NOT_CONNECTED',
      message: 'No account.',
      retryable: true,
    });
    await expect(failed({ code: 'not a code' })).rejects.toMatchObject({ code: 'STEP_FAILED', message: 'No .' });
    const plain = [step('f', 'control.fail', { error: '{{ args.none }}' })];
    await expect(runSteps({ steps: plain })).rejects.toMatchObject({
      code: 'STEP_FAILED',
      message: 'The app failed.',
      retryable: false,
    });
  });

  it('names the step, and is in the trace', async () => {
    const trace: TracedStep[] = [];
    const steps = [note('a'), step('broken', 'transform.json_parse', { text: 'x' }), note('c')];
    await expect(runSteps({ steps }, trace)).rejects.toMatchObject({
      code: 'STEP_FAILED',
      details: { step: 'broken' },
    });
    expect(trace).toMatchObject([
      { id: 'a', ok: true, result: {} },
      {
        id: 'broken',
        kind: 'transform',
        action: 'json_parse',
        ok: false,
        result: { error: 'Step "broken": The text is not valid JSON.', error_code: 'STEP_FAILED' },
        ms: expect.any(Number),
      },
    ]);
  });
});

describe('a budget', () => {
  it('of steps is 8 for each, and 64 at least', async () => {
    const trace: TracedStep[] = [];
    const circle = [note('a'), step('b', 'control.goto', { to: 'a' })];
    await expect(runSteps({ steps: circle }, trace)).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
      message: 'Step "a": A run of this handler may do at most 64 steps. Check its steps for an endless loop.',
    });
    expect(trace.filter(({ ok }) => ok)).toHaveLength(64);
    const long = [...Array.from({ length: 19 }, (_, at) => note(`n${at}`)), step('b', 'control.goto', { to: 'n0' })];
    const longTrace: TracedStep[] = [];
    await expect(runSteps({ steps: long }, longTrace)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(longTrace.filter(({ ok }) => ok)).toHaveLength(160);
  });

  const grow = (value: unknown) => [
    step('v', 'transform.set', { value }),
    step('again', 'control.goto', { to: 'v' }),
    ...Array.from({ length: 190 }, (_, at) => note(`n${at}`)),
  ];

  it.each<[string, unknown[], object]>([
    ['a text that doubles', grow('x{{ steps.v.value }}{{ steps.v.value }}'), {}],
    ['a map that doubles', grow({ a: '{{ steps.v.value }}', b: '{{ steps.v.value }}' }), {}],
    ['a list in lists', grow(['{{ steps.v.value }}']), {}],
    [
      'many large texts',
      [step('v', 'transform.set', { value: Array<string>(500).fill('{{ args.t | upper }}') })],
      { t: 'x'.repeat(500_000) },
    ],
    [
      'many filters',
      [step('v', 'transform.set', { value: `{{ args.t${' | upper'.repeat(500)} }}` })],
      { t: 'x'.repeat(500_000) },
    ],
    [
      'a large text for every item',
      [step('v', 'transform.map', { items: '{{ args.l }}', to: 'y'.repeat(10_000) + '{{ item }}' })],
      { l: Array(50_000).fill(1) },
    ],
    [
      'many comparisons for every item',
      [
        step('v', 'transform.filter', {
          items: '{{ args.l }}',
          if: { or: Array(1000).fill({ field: '{{ item }}', eq: 2 }) },
        }),
      ],
      { l: Array(50_000).fill(1) },
    ],
    [
      'a search that takes long',
      [branch('v', { field: '{{ args.s }}', in: '{{ args.t }}' }, null)],
      { s: `b${'a'.repeat(500_000)}`, t: 'a'.repeat(2_000_000) },
    ],
  ])('ends %s', async (_what, steps, args) => {
    await expect(runSteps({ steps, args })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
      message: expect.stringContaining('Step "v"'),
    });
  });

  it('leaves room for others while it works on much', async () => {
    const steps = [
      step('v', 'transform.map', { items: '{{ args.l }}', to: { a: '{{ item.a }}', b: '<{{ item.b }}>' } }),
    ];
    const args = { l: Array.from({ length: 150_000 }, (_, a) => ({ a, b: 'b' })) };
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await expect(
      runSteps({ steps: [...steps, step('r', 'control.return', { data: '{{ steps.v.value | count }}' })], args }),
    ).resolves.toMatchObject({ data: 150_000 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });
});

describe('a deadline', () => {
  const never = { store: { get: () => new Promise(() => undefined) } };
  const wait = step('w', 'store.get', { kind: 'a', id: 'b' });

  it('ends a run that waits', async () => {
    const abort = new AbortController();
    const run = runSteps({ steps: [note('a'), wait], context: never, signal: abort.signal });
    setImmediate(() => abort.abort());
    await expect(run).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'Step "w": The time of the run is over.',
      retryable: true,
    });
  });

  it('ends one with the reason that the host has', async () => {
    const reason = new ExtensionError('TASK_CANCELLED', 'The caller has gone.');
    await expect(runSteps({ steps: [wait], context: never, signal: AbortSignal.abort(reason) })).rejects.toMatchObject({
      code: 'TASK_CANCELLED',
      message: 'Step "w": The caller has gone.',
    });
  });

  it('ends one that works and does not wait', async () => {
    const item = { a: 'x'.repeat(100) };
    const steps = [step('m', 'transform.map', { items: '{{ args.l }}', to: '{{ item }}' })];
    const args = { l: Array(200_000).fill(item) };
    const abort = new AbortController();
    let now = performance.now();
    // Each look at the clock ends a slice; otherwise a fast machine would finish before the
    // deadline.
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    try {
      const run = runSteps({ steps, args, signal: abort.signal });
      setImmediate(() => abort.abort());
      await expect(run).rejects.toMatchObject({ code: 'TIMEOUT' });
    } finally {
      clock.mockRestore();
    }
  });

  it('counts for what fails because of it', async () => {
    const abort = new AbortController();
    const store = {
      get: () => {
        abort.abort();
        return Promise.reject(new Error('the run is over'));
      },
    };
    await expect(runSteps({ steps: [wait], context: { store }, signal: abort.signal })).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
  });
});

describe('hostile values', () => {
  const hostile = JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"t","then":"x"}',
  ) as object;

  it('change no prototype, and come through as they are', async () => {
    const steps = [
      step('v', 'transform.set', { value: { copy: '{{ args.h }}' } }),
      step('p', 'transform.pick', { from: '{{ args.h }}', keys: '{{ args.keys }}' }),
      step('m', 'transform.map', { items: ['{{ args.h }}'], to: { item: '{{ item }}', own: '{{ item.toString }}' } }),
      step('c', 'store.create', { kind: 'k', data: '{{ args.h }}' }),
      step('g', 'store.get', { kind: 'k', id: '{{ prev.id }}' }),
      step('r', 'control.return', {
        data: ['{{ steps.p.value }}', '{{ steps.g.doc }}', '{{ steps.m.value }}', '{{ steps.v.value }}'],
      }),
    ];
    const args = { h: hostile, keys: ['__proto__', 'constructor', 'hasOwnProperty'] };
    const [picked, stored, mapped, copied] = (await runSteps({ steps, args })).data as object[];
    expect(Object.keys(picked as object)).toEqual(['__proto__', 'constructor']);
    for (const value of [picked, stored]) {
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(JSON.stringify(value)).toContain('"__proto__":{"polluted":1}');
    }
    expect(JSON.stringify([mapped, copied])).toBe(JSON.stringify([[{ item: hostile, own: 't' }], { copy: hostile }]));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'constructor.constructor', 'valueOf.name', 'length'])(
    'find nothing inherited as %s',
    async (name) => {
      // "steps" can only have names of steps that exist in the document.
      const roots = ['args', 'args.list', 'args.text', 'user', 'app', 'steps.a', 'prev', 'now'];
      const steps = [note('a'), step('r', 'control.return', { data: roots.map((root) => `{{ ${root}.${name} }}`) })];
      const { data } = await runSteps({ steps, args: { list: [], text: 'text' } });
      expect(data).toEqual(roots.map(() => ''));
    },
  );

  it('do not reach the document, which stays as it was deployed', async () => {
    const document = documentOf({ steps: [step('v', 'transform.set', { value: { a: [1] } })] });
    const app = compileApp(document);
    expect(Object.isFrozen(app.document.app.functions[0]?.params_schema)).toBe(true);
    const { data } = await runSteps({ steps: [step('v', 'transform.set', { value: { a: [1] } })] });
    expect(() => {
      (data as { value: { a: number[] } }).value.a.push(2);
    }).toThrow(TypeError);
  });

  it('of an http response that is nested without end are refused', async () => {
    const body = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) as unknown;
    const http = { get: () => Promise.resolve({ status_code: 200, headers: {}, body, ok: true }) };
    const steps = [step('h', 'http.get', { url: 'https://example.com' })];
    await expect(runSteps({ steps, context: { http } })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
      message: 'Step "h": Values may be nested at most 64 levels deep.',
    });
  });
});

describe('a trace', () => {
  it('says of what is too large only how large it is', async () => {
    const large = step('l', 'transform.set', { value: '{{ args.t }}' });
    const { trace } = await runSteps({ steps: [large], args: { t: 'x'.repeat(20_000) } });
    expect(trace).toMatchObject([{ id: 'l', ok: true, result: expect.stringMatching(/^\[\d+ bytes\]$/) }]);
    const many = Array.from({ length: 60 }, (_, at) => step(`l${at}`, 'transform.set', { value: '{{ args.t }}' }));
    const { trace: all } = await runSteps({ steps: many, args: { t: 'x'.repeat(10_000) } });
    expect(JSON.stringify(all).length).toBeLessThan(300_000);
    expect(all).toHaveLength(60);
  });
});
