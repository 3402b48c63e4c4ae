import type { SmokeTestResponse } from '@platform/contracts';
import { TEST_SERVICE_TOKEN, TestService, type TestClient } from '@platform/testing';
import { loadConfig } from '../config.js';
import { extWebhookHost } from '../service.js';
import { codeFunction } from '../testing/code-apps.js';
import { ADA, step } from '../testing/step-runs.js';
import { SMOKE_TESTS } from './smoke-tests.service.js';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await TestService.start((env) => extWebhookHost(loadConfig(env)));
  client = service.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
});
afterAll(() => service.stop());

const fn = (name: string, steps: unknown[], more: object = {}) => ({
  id: name,
  kind: 'function',
  action: name,
  params: { steps, ...more },
});
const app = (functions: unknown[], more: object = {}) => ({
  app_id: 'notes',
  version: '1.0.0',
  steps: functions,
  ...more,
});
const post = (document: object, name = 'f', args: object = {}) =>
  client.post<SmokeTestResponse>('/v1/internal/smoke-tests', { document, function: name, args, user: ADA });
const smoke = async (document: object, name?: string, args?: object) => {
  const { status, body } = await post(document, name, args);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

describe('a smoke test', () => {
  it('runs a function, whose writes it can read, and says what each step did', async () => {
    const document = app([
      fn('f', [
        step('made', 'store.create', { kind: 'notes', data: { text: '{{ args.text }}' } }),
        step('found', 'store.get', { kind: 'notes', id: '{{ steps.made.id }}' }),
        step('r', 'control.return', { data: '{{ steps.found.doc.text }}' }),
      ]),
    ]);
    const answer = await smoke(document, 'f', { text: 'Hi' });
    const id = expect.stringMatching(/^doc_/) as string;
    const ms = expect.any(Number) as number;
    expect(answer).toEqual({
      ok: true,
      result: 'Hi',
      error: null,
      error_code: null,
      trace: {
        steps: [
          { id: 'made', kind: 'store', action: 'create', ok: true, result: { id }, ms },
          {
            id: 'found',
            kind: 'store',
            action: 'get',
            ok: true,
            result: { doc: expect.objectContaining({ id, text: 'Hi' }) },
            ms,
          },
          { id: 'r', kind: 'control', action: 'return', ok: true, result: 'Hi', ms },
        ],
        effects: [],
      },
    });
    expect(await smoke(app([fn('f', [step('c', 'store.count', { kind: 'notes' })])]))).toMatchObject({
      result: { count: 0 },
    });
  });

  it('sends nothing to the world, and says what it would have sent, without secrets', async () => {
    const document = app(
      [
        fn('f', [
          step('key', 'secret.get', { name: 'api_key' }),
          step('sent', 'http.post', {
            url: 'https://example.com/notes',
            headers: { Authorization: 'Bearer {{ steps.key.value }}' },
            json: { text: '{{ args.text }}' },
          }),
          step('told', 'notify.send', { message: 'Sent {{ args.text }}.' }),
          step('emitted', 'emit.notes.sent', { data: { text: '{{ args.text }}' } }),
          step('logged', 'log.info', { message: 'With {{ steps.key.value }}' }),
          step('all', 'control.return', { data: ['{{ steps.sent }}', '{{ steps.key.value }}'] }),
        ]),
      ],
      { secrets: [{ name: 'api_key' }] },
    );
    const { result, trace } = await smoke(document, 'f', { text: 'Hi' });
    expect(result).toEqual([{ status_code: 200, headers: {}, body: {}, ok: true }, '[secret api_key]']);
    expect(trace.effects).toEqual([
      {
        what: 'http.post',
        details: {
          url: 'https://example.com/notes',
          headers: { Authorization: 'Bearer [secret api_key]' },
          query: {},
          json: { text: 'Hi' },
        },
      },
      { what: 'notify.send', details: { message: 'Sent Hi.', channel: 'in_app', priority: 'normal' } },
      { what: 'emit', details: { type: 'notes.sent', data: { text: 'Hi' } } },
      { what: 'log.info', details: { message: 'With [secret api_key]' } },
    ]);
    expect(JSON.stringify(trace)).not.toContain('smoke-test-api_key');
  });

  it('calls the functions of the app in the same store, and checks their params', async () => {
    const params_schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const document = app([
      fn('f', [
        step('a', 'call.add', { params: { text: 'One' } }),
        step('n', 'store.count', { kind: 'notes' }),
        step('r', 'control.return', { data: ['{{ steps.a }}', '{{ steps.n.count }}'] }),
      ]),
      fn('add', [step('c', 'store.set', { kind: 'notes', id: 'one', data: { text: '{{ args.text }}' } })], {
        params_schema,
      }),
      fn('wrong', [step('a', 'call.add')]),
      fn('circle', [step('a', 'call.round')]),
      fn('round', [step('b', 'call.circle')]),
      fn('fails', [step('f', 'control.fail', { error: 'No.', code: 'NOT_NOW' })]),
      fn('calls', [step('a', 'call.fails')]),
      fn('foreign', [step('a', 'call.other.list')]),
    ]);
    expect(await smoke(document)).toMatchObject({
      ok: true,
      result: [{ id: 'one' }, 1],
      trace: { steps: [{ id: 'c' }, { id: 'a' }, { id: 'n' }, {}] },
    });
    const failed = async (name: string, args = {}) => {
      const { ok, result, error, error_code } = await smoke(document, name, args);
      expect({ ok, result }).toEqual({ ok: false, result: null });
      return [error_code, error];
    };
    expect(await failed('add')).toEqual(['VALIDATION_MISSING_FIELD', expect.stringContaining('text')]);
    expect(await failed('wrong')).toEqual(['VALIDATION_MISSING_FIELD', expect.stringMatching(/^Step "a": /)]);
    expect(await failed('circle')).toEqual([
      'CALL_CYCLE',
      'Step "a": Step "b": The function "circle" is already running in this chain of calls.',
    ]);
    expect(await failed('fails')).toEqual(['NOT_NOW', 'No.']);
    expect(await failed('calls')).toEqual(['NOT_NOW', 'Step "a": No.']);
    expect(await failed('foreign')).toEqual(['CALL_UNAVAILABLE', 'Step "a": A smoke test cannot call other apps.']);
    expect(await failed('none')).toEqual(['UNKNOWN_SUB_FUNCTION', 'The app has no function "none".']);
    expect(await failed('toString')).toEqual(['UNKNOWN_SUB_FUNCTION', 'The app has no function "toString".']);
  });

  it('says at which step a function failed, and what it did before', async () => {
    const steps = [
      step('a', 'store.count', { kind: 'notes' }),
      step('b', 'transform.json_parse', { text: '{{ args.text }}' }),
    ];
    expect(await smoke(app([fn('f', steps)]), 'f', { text: '{' })).toMatchObject({
      ok: false,
      error: 'Step "b": The text is not valid JSON.',
      error_code: 'STEP_FAILED',
      trace: {
        steps: [
          { id: 'a', ok: true },
          { id: 'b', ok: false, result: { error_code: 'STEP_FAILED' } },
        ],
      },
    });
    const many = [
      step('a', 'store.count', { kind: 'notes' }),
      step('b', 'control.goto', { to: 'a' }),
      ...steps.map((each, at) => ({ ...each, id: `x${at}` })),
    ];
    expect(await smoke(app([fn('f', many)]))).toMatchObject({ ok: false, error_code: 'BUDGET_EXCEEDED' });
  });

  it('ends a function in JavaScript that takes too long', async () => {
    const { maxMs } = SMOKE_TESTS;
    SMOKE_TESTS.maxMs = 200;
    try {
      const main = 'export const f = () => new Promise((resolve) => setTimeout(resolve, 1e6));';
      const answer = await smoke(app([codeFunction('f')], { modules: { main } }));
      expect(answer).toMatchObject({ ok: false, error_code: 'TIMEOUT', error: 'The run took longer than 0.2 s.' });
    } finally {
      SMOKE_TESTS.maxMs = maxMs;
    }
  });

  it('takes the canonical form as well', async () => {
    const impl = {
      kind: 'declarative',
      steps: [{ id: 'u', op: 'transform.set', args: { value: '{{ user.email }}' } }],
    };
    const document = {
      ir_version: '1.0',
      app: { id: 'a', version: '1.0.0', title: 'A', functions: [{ name: 'f', impl }] },
    };
    expect(await smoke(document)).toMatchObject({ ok: true, result: { value: ADA.email } });
  });

  it('refuses a document with everything that is wrong with it', async () => {
    const { status, body } = await post(app([fn('f', [step('a', 'store.none'), step('a', 'call.none')])]));
    expect({ status, body }).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            loc: ['body', 'document', 'steps', '0', 'params', 'steps', '0', 'action'],
            type: 'unknown_operation',
            msg: expect.any(String),
          },
          { loc: expect.arrayContaining(['id']), type: 'duplicate' },
          { loc: expect.arrayContaining(['action']), type: 'unknown_function' },
        ],
      },
    });
  });

  it('is for the platform only', async () => {
    const request = { document: app([]), function: 'main', args: {}, user: ADA };
    expect(await service.client().post('/v1/internal/smoke-tests', request)).toMatchObject({ status: 401 });
    expect(await client.post('/v1/internal/smoke-tests', { ...request, args: [] })).toMatchObject({ status: 422 });
  });
});
