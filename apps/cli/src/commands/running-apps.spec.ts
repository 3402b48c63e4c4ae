import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { FakePlatform, type Answer } from '../testing/fake-platform.js';
import { askSecret } from '../text/ask-secret.js';

let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => platform.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

const success = {
  status: 'success',
  data: { id: 'n\u202e1' },
  summary: 'Noted\u001b[2J.',
  error: null,
  ui: null,
  error_code: null,
  retryable: false,
};
const failure = {
  ...success,
  status: 'error',
  data: null,
  summary: null,
  error: 'Step "note": no',
  error_code: 'STEP_FAILED',
  retryable: true,
};

describe('platform call', () => {
  it('calls as the user and prints what the function returns, and nothing that acts on the terminal', async () => {
    platform.answer = () => [200, success];
    expect(await platform.run('call', 'notes', 'add_note', '--params', '{"text": "x"}')).toBeNull();
    expect(platform.asked[1]).toEqual({
      line: 'POST /v1/extensions/notes/call',
      body: { user_id: 'usr_1', tenant_id: 'default', function: 'add_note', params: { text: 'x' } },
    });
    expect([platform.printed, platform.noted]).toEqual(['{\n  "id": "n1"\n}\n', 'Noted[2J.\n']);
  });

  it('takes params from a file, and none', async () => {
    platform.answer = () => [200, success];
    const folder = await mkdtemp(join(tmpdir(), 'platform-call-'));
    const file = join(folder, 'params.json');
    await writeFile(file, '{"text": "from a file"}');
    expect(await platform.run('--json', 'call', 'notes', 'add_note', '--params', `@${file}`)).toBeNull();
    expect(await platform.run('call', 'notes', 'list_notes')).toBeNull();
    expect([platform.asked[1]?.body, platform.asked[3]?.body]).toMatchObject([
      { params: { text: 'from a file' } },
      { params: {} },
    ]);
    await rm(folder, { recursive: true });
  });

  it('fails when the function fails; with --json the answer is printed, too', async () => {
    platform.answer = () => [200, failure];
    const failed = { message: 'Step "note": no (STEP_FAILED) Retry later.', exitCode: 1 };
    expect(await platform.run('call', 'notes', 'add_note')).toEqual(failed);
    expect(platform.printed).toBe('');
    expect(await platform.run('--json', 'call', 'notes', 'add_note')).toEqual(failed);
    expect(JSON.parse(platform.printed)).toEqual(failure);
  });

  it.each([
    ['{', /^The params are not JSON: /],
    ['[1]', /^The params must be a JSON object/],
    ['null', /^The params must be a JSON object/],
  ])('refuses the params %s without asking the platform', async (params, message) => {
    expect(await platform.run('call', 'notes', 'add_note', '--params', params)).toEqual({
      message: expect.stringMatching(message),
      exitCode: 2,
    });
    expect(platform.asked).toEqual([]);
  });

  it('says of a file that is not there that it is not', async () => {
    expect(await platform.run('call', 'notes', 'add_note', '--params', '@/no/such/file')).toMatchObject({
      message: 'Cannot read the params from /no/such/file. The file does not exist.',
    });
  });
});

describe('platform logs', () => {
  const line = (id: string, message: string) => ({
    ...{ id, at: '2026-11-21T10:00:07.000Z', level: 'warning', message, kind: 'webhook', handler: 'payments' },
    ...{ request_id: null, user_id: null },
  });

  it('shows the latest lines', async () => {
    platform.answer = () => [200, { items: [line('1', 'one\n\u001b[2Jtwo')], next: '1' }];
    expect(await platform.run('logs', 'notes', '--limit', '5')).toBeNull();
    expect(platform.asked[0]?.line).toBe('GET /v1/developer/apps/notes/logs?limit=5&wait_seconds=0');
    expect(platform.printed).toMatch(
      /^2026-11-\d\d \d\d:\d\d:07 {2}warning {2}webhook payments {2}one\n {4}\[2Jtwo\n$/,
    );
  });

  it('follows from the last line on, past what may pass, and ends when it is refused', async () => {
    const answers: Answer[] = [
      [200, { items: [line('1', 'one')], next: '1' }],
      [200, { items: [line('2', 'two')], next: '2' }],
      [503, { detail: 'Not now.', code: 'extension_host_unavailable' }],
      [200, { items: [line('3', 'three')], next: '3' }],
      [404, { detail: 'There is no such app.', code: 'app.not_found' }],
    ];
    platform.answer = () => answers.shift() as Answer;
    expect(await platform.run('--json', 'logs', 'notes', '--follow')).toEqual({
      message: 'There is no such app.',
      exitCode: 1,
    });
    const wait = '&limit=500&wait_seconds=20';
    expect(platform.asked.map(({ line: of }) => of.split('?')[1])).toEqual([
      'limit=100&wait_seconds=0',
      ...['1', '2', '2', '3'].map((after) => `after=${after}${wait}`),
    ]);
    const lines = platform.printed.trim().split('\n');
    expect(lines.map((json) => (JSON.parse(json) as { message: string }).message)).toEqual(['one', 'two', 'three']);
    expect(platform.noted).toBe('Not now. Trying again.\n');
  });

  it.each(['0', '501', 'x'])('refuses a limit of %s', async (limit) => {
    expect(await platform.run('logs', 'notes', '--limit', limit)).not.toBeNull();
    expect(platform.asked).toEqual([]);
  });
});

describe('platform secrets', () => {
  const secret = { name: 'token', description: 'The token.', is_set: true, updated_at: null };
  const typed = (value: string) => {
    const input = Object.assign(new PassThrough(), { isTTY: false });
    input.end(value);
    jest.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin);
  };

  it.each([
    [[], '/v1/developer/apps/notes/secrets'],
    [['--user'], '/v1/secrets/notes'],
  ])('%s: lists, sets from the standard input, deletes', async (flags, path) => {
    platform.answer = ({ line }) => [
      200,
      line.startsWith('GET') ? [secret] : line.startsWith('PUT') ? secret : { was_set: true },
    ];
    expect(await platform.run('secrets', 'list', 'notes', ...flags)).toBeNull();
    expect(platform.printed).toContain('token  set    -       The token.');
    typed('  a value\nof two lines\n');
    expect(await platform.run('secrets', 'set', 'notes', 'token', ...flags)).toBeNull();
    expect(await platform.run('secrets', 'delete', 'notes', 'token', ...flags)).toBeNull();
    expect(platform.asked).toEqual([
      { line: `GET ${path}`, body: null },
      { line: `PUT ${path}/token`, body: { value: '  a value\nof two lines' } },
      { line: `DELETE ${path}/token`, body: null },
    ]);
    expect(platform.printed + platform.noted).not.toContain('a value');
  });

  it('sets nothing for an empty input, and takes no value on the command line', async () => {
    typed('\n');
    expect(await platform.run('secrets', 'set', 'notes', 'token')).toMatchObject({ exitCode: 2 });
    expect(await platform.run('secrets', 'set', 'notes', 'token', 'the-value')).not.toBeNull();
    expect(platform.asked).toEqual([]);
  });
});

describe('platform webhook', () => {
  const delivery = {
    delivery_id: 'whd_1',
    path: 'payments',
    status: 'dead',
    attempts: 8,
    status_code: 500,
    received_at: '2026-11-21T10:00:00Z',
  };

  it('lists deliveries, and tells of a next page', async () => {
    platform.answer = () => [200, { items: [{ ...delivery, error: 'no' }], cursor: 'abc' }];
    expect(await platform.run('webhook', 'list', 'notes', '--status', 'dead', '--cursor', 'xyz')).toBeNull();
    expect(platform.asked[0]?.line).toBe(
      'GET /v1/developer/apps/notes/webhook-deliveries?status=dead&cursor=xyz&limit=50',
    );
    expect(platform.printed).toMatch(/whd_1 {2}payments {2}dead {4}8 {6}500 /);
    expect(platform.printed).toContain('Show more with --cursor abc');
  });

  it('replays one', async () => {
    platform.answer = () => [202, { ...delivery, status: 'pending' }];
    expect(await platform.run('webhook', 'replay', 'notes', 'whd_1')).toBeNull();
    expect(platform.asked[0]?.line).toBe('POST /v1/developer/apps/notes/webhook-deliveries/whd_1/replay');
    expect(platform.printed).toBe('The webhook payments handles the delivery whd_1 again. Its status is pending.\n');
  });
});

describe('platform webhook url', () => {
  const hook = (path: string) => ({
    path,
    method: 'POST',
    channel: 'live',
    url: `https://panel.example/v1/ext/notes/webhook/${path}`,
  });
  const notes = (...paths: string[]) => (platform.answer = () => [200, { app_id: 'notes', webhooks: paths.map(hook) }]);

  it('prints the address of the one that is meant', async () => {
    notes('hub', 'in');
    expect(await platform.run('webhook', 'url', 'notes', '/in/')).toBeNull();
    expect(platform.printed).toBe('https://panel.example/v1/ext/notes/webhook/in\n');
  });

  it('lists them where there is no such one, or no word which', async () => {
    notes('hub', 'in');
    expect(await platform.run('webhook', 'url', 'notes', 'nope')).toEqual({
      message: 'notes has no webhook "nope". It has these: hub, in.',
      exitCode: 2,
    });
    expect(await platform.run('webhook', 'url', 'notes')).toEqual({
      message: 'Name one of the webhooks of notes: hub, in.',
      exitCode: 2,
    });
    notes();
    expect(await platform.run('webhook', 'url', 'notes', 'nope')).toEqual({
      message: 'notes has no webhooks, or is not deployed yet.',
      exitCode: 1,
    });
  });
});

describe('platform schedules', () => {
  const lastRun = { scheduled_for: '2026-11-21T07:00:00Z', status: 'failed', error: 'No\u001b[2J paper.' };
  const schedule = { name: 'digest', cron: '0 7 * * *', next_run_at: null, recent_runs: [lastRun] };

  it('lists them with their next and last run', async () => {
    platform.answer = () => [200, { items: [schedule, { ...schedule, name: 'new', recent_runs: [] }] }];
    expect(await platform.run('schedules', 'list', 'notes')).toBeNull();
    expect(platform.asked[0]?.line).toBe('GET /v1/developer/apps/notes/schedules');
    expect(platform.printed).toMatch(
      /^digest {4}0 7 \* \* \* {4}- {9}2026-11-21 \d\d:\d\d {2}failed {2}No\[2J paper\.$/m,
    );
    expect(platform.printed).toMatch(/^new {7}0 7 \* \* \* {4}- {9}- {17}-$/m);
  });

  it('runs one now', async () => {
    platform.answer = () => [202, { run_id: 'run_1', status: 'pending' }];
    expect(await platform.run('schedules', 'run', 'notes', 'digest')).toBeNull();
    expect(platform.asked[0]?.line).toBe('POST /v1/developer/apps/notes/schedules/digest/run');
    expect(platform.printed).toContain('digest has started.');
  });
});

describe('platform events', () => {
  const event_id = '0190a0b0-0000-7000-8000-000000000001';
  const delivery = { event_id, type: 'orders.placed', source: 'orders', status: 'dead', attempts: 5, error: 'no' };

  it('lists them, and tells of a next page', async () => {
    platform.answer = () => [200, { items: [{ ...delivery, timestamp: '2026-11-21T10:00:00Z' }], cursor: 'abc' }];
    expect(await platform.run('events', 'list', 'shipping', '--status', 'dead')).toBeNull();
    expect(platform.asked[0]?.line).toBe('GET /v1/developer/apps/shipping/event-deliveries?status=dead&limit=50');
    expect(platform.printed).toMatch(/ {2}orders\.placed {2}orders {2}dead {4}5 {6}2026-11-21 \d\d:\d\d {2}no\n/);
    expect(platform.printed).toContain('Show more with --cursor abc');
  });

  it('replays one', async () => {
    platform.answer = () => [202, { ...delivery, status: 'pending' }];
    expect(await platform.run('events', 'replay', 'shipping', event_id)).toBeNull();
    expect(platform.asked[0]?.line).toBe(`POST /v1/developer/apps/shipping/event-deliveries/${event_id}/replay`);
    expect(platform.printed).toBe('The app handles the orders.placed event again. Its status is pending.\n');
  });

  it('is of no event that there is not, which it says without a pattern', async () => {
    const detail = [
      { loc: ['path', 'event_id'], msg: "String should match pattern '^evt_'", type: 'string_pattern_mismatch' },
    ];
    platform.answer = () => [422, { detail }];
    const message = 'The event "x" does not exist. Run `platform events list shipping` for the ids.';
    expect(await platform.run('events', 'replay', 'shipping', 'x')).toEqual({ message, exitCode: 1 });
  });
});

describe('a question for a secret', () => {
  const terminal = () => {
    const modes: boolean[] = [];
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (mode: boolean) => modes.push(mode) });
    return { input: input as unknown as ReadStream & PassThrough, modes };
  };

  it('shows nothing of what is typed, and takes a correction', async () => {
    const { input, modes } = terminal();
    const output = new PassThrough();
    const asking = askSecret('Value: ', input, output);
    for (const keys of ['pasx', '\u007fs', ' wörd\r', 'more']) input.write(keys);
    expect(await asking).toBe('pass wörd');
    expect([String(output.read()), modes]).toEqual(['Value: \n', [true, false]]);
  });

  it('is empty at the end of the input, and Ctrl-C interrupts', async () => {
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    for (const key of ['\u0004', '\u0003']) {
      const { input } = terminal();
      const asking = askSecret('Value: ', input, new PassThrough());
      input.write(`abc${key}`);
      expect(await asking).toBe('');
    }
    expect(kill.mock.calls).toEqual([[process.pid, 'SIGINT']]);
  });
});
