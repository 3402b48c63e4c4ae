import { until } from '@platform/testing';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { starterDocument } from '../app-document/starter.js';
import { FakePlatform, type Answer, type Asked } from '../testing/fake-platform.js';

interface Sent {
  params: { app_id: string; ir_dict: { app_id?: string; version?: string; app?: object } };
}

const folder = mkdtempSync(join(tmpdir(), 'platform-dev-'));
const file = join(folder, 'app.json');
const RECEIPT = {
  app_id: 'notes',
  deployed_at: '2026-11-21T00:00:00.000Z',
  steps_registered: 1,
  ir_version: '1.0',
  webhooks: [],
};
const REFUSED = { data: null, summary: null, ui: null, status: 'error', retryable: false };
const LINE = {
  id: '7',
  at: '2026-11-21T10:00:07.000Z',
  kind: 'function',
  handler: 'add_note',
  request_id: null,
  user_id: null,
};

let platform: FakePlatform;
/** Status of the app on the platform. */
let status: string;
let deployed: Sent['params'][];
/** Refusal instead of a successful deploy. */
let refuse: (version: string) => object | undefined;
let formerDeploys: object[];
/** Webhooks in the receipt of the deploy. */
let webhooks: object[] | undefined;
let ended: Promise<{ message: string } | null> | undefined;
let answerLogs: (answer: Answer) => void;
/** Answer of the log; while undefined, requests wait for `answerLogs`. */
let logs: Answer | undefined;

beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => {
  platform.reset();
  platform.answer = answer;
  status = 'draft';
  deployed = formerDeploys = [];
  webhooks = logs = undefined;
  refuse = () => undefined;
  save({});
});
afterEach(async () => {
  if (ended) {
    // Also answers later requests: the command may not have sent the next one yet.
    logs = [404, { detail: 'There is no such app.', code: 'app.not_found' }];
    answerLogs(logs);
    await ended;
    ended = undefined;
  }
  jest.restoreAllMocks();
});
afterAll(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true });
});

function answer({ line, body }: Asked): Answer | Promise<Answer> {
  if (line === 'GET /v1/developer/profile') return [200, { platform_id: 'usr_1' }];
  if (line.includes('/logs?limit=1&')) return [200, { items: [], next: null }];
  if (line.includes('/logs?')) return logs ?? new Promise((resolve) => (answerLogs = resolve));
  if (line.includes('/deploys?')) return [200, formerDeploys];
  if (line.startsWith('GET /v1/developer/apps/')) return [200, { app_id: line.split('/').at(-1), status }];
  const { params } = body as Sent;
  const refusal = refuse(versionOf(params));
  if (refusal) return [200, { ...REFUSED, ...refusal }];
  deployed = [...deployed, params];
  return [200, { ...REFUSED, status: 'success', data: { ...RECEIPT, ...(webhooks && { webhooks }) } }];
}

const versionOf = ({ ir_dict: { version, app } }: Sent['params']) => version ?? (app as { version: string }).version;
const versions = () => deployed.map(versionOf);
const save = (changes: object) =>
  writeFileSync(file, JSON.stringify({ ...starterDocument('notes', 'https://example.com'), ...changes }, null, 2));
const start = (...options: string[]) => (ended = platform.run('dev', file, ...options));
const printed = (pattern: RegExp) => until(() => pattern.exec(platform.printed)?.[0]);

describe('platform dev', () => {
  it('says where the webhooks of the draft are called, and again when that changes', async () => {
    const hook = (path: string, method: string) => ({
      path,
      method,
      channel: 'draft',
      url: `https://panel.example/v1/ext/notes/draft/webhook/${path}`,
    });
    webhooks = [hook('hub', 'GET'), hook('hub', 'POST'), hook('in', 'POST')];
    void start();
    await printed(
      /dev\.1 is live\.\n {2}Functions .*\n {2}Webhooks {3}GET, POST https:\/\/panel\.example\/v1\/ext\/notes\/draft\/webhook\/hub\n {13}POST {6}https:\/\/panel\.example\/v1\/ext\/notes\/draft\/webhook\/in\n/,
    );
    save({ name: 'More notes' });
    await printed(/dev\.2 is live, .*\n/);
    expect(platform.printed.match(/Webhooks/g)).toHaveLength(1);
    webhooks = [hook('other', 'POST')];
    save({ name: 'Even more notes' });
    await printed(
      /dev\.3 is live, .*\n {2}Webhooks {3}POST https:\/\/panel\.example\/v1\/ext\/notes\/draft\/webhook\/other\n/,
    );
  });

  it('deploys at once and with every save, each time as a version of its own', async () => {
    void start();
    await printed(/✔ notes 0\.1\.0-dev\.1 is live\.\n {2}Functions {2}add_note \(write\), list_notes \(read\)\n/);
    save({ name: 'More notes' });
    await printed(/✔ notes 0\.1\.0-dev\.2 is live, \d\.\d\d s after the save\.\n/);
    save({ name: 'More notes', version: '0.2.0' });
    await printed(/0\.2\.0-dev\.1 is live/);
    expect(deployed.map(({ app_id, ir_dict }) => [app_id, ir_dict.version])).toEqual(
      ['0.1.0-dev.1', '0.1.0-dev.2', '0.2.0-dev.1'].map((version) => ['notes', version]),
    );
  });

  it('notices a file that is replaced, and deploys nothing twice', async () => {
    void start();
    await printed(/dev\.1 is live/);
    save({});
    const other = join(folder, 'app.json.tmp');
    writeFileSync(other, JSON.stringify({ ...starterDocument('notes', ''), name: 'Replaced' }));
    renameSync(other, file);
    await printed(/dev\.2 is live/);
    expect(versions()).toEqual(['0.1.0-dev.1', '0.1.0-dev.2']);
  });

  it('shows issues where they stand, and goes on', async () => {
    save({ version: 'one' });
    void start();
    await printed(
      /✖ \S+app\.json:4:14: "one" must be a semantic version.*\n {2}Found 1 issue\. Nothing was deployed\.\n/,
    );
    save({});
    await printed(/dev\.1 is live/);
    writeFileSync(file, '{');
    await printed(/app\.json:1:1: Invalid JSON: .*\n.*0\.1\.0-dev\.1 keeps running\.\n/);
    save({});
    await printed(/✔ notes is valid again; 0\.1\.0-dev\.1 keeps running\.\n/);
    rmSync(file);
    await printed(/✖ \S+app\.json does not exist\./);
    save({ name: 'Back' });
    await printed(/dev\.2 is live/);
  });

  it('says that what runs is good again when a mistake is undone, once', async () => {
    void start('--json');
    await printed(/"live"/);
    for (const mistake of ['version', 'name']) {
      save({ [mistake]: 1 });
      await printed(/"failed"[^\n]*\n$/);
      save({});
      await printed(/"good_again"[^\n]*\n$/);
    }
    refuse = () => ({ error: 'No.', error_code: 'INVALID_IR' });
    save({ name: 'Refused' });
    await printed(/"failed"[^\n]*\n$/);
    save({});
    await printed(/"good_again"[^\n]*\n$/);
    refuse = () => undefined;
    save({});
    save({ name: 'More' });
    await printed(/dev\.2/);
    const events = platform.printed.trim().split('\n');
    const told = events.map((json) => JSON.parse(json) as { event: string });
    expect(told.map(({ event }) => event)).toEqual(['live', ...Array(3).fill(['failed', 'good_again']).flat(), 'live']);
    expect(told[2]).toEqual({ event: 'good_again', app_id: 'notes', version: '0.1.0-dev.1' });
    expect(versions()).toEqual(['0.1.0-dev.1', '0.1.0-dev.2']);
  });

  it('shows what the platform refuses, and goes on', async () => {
    const data = { issues: [{ pointer: '/name', rule: 'value', message: 'Not this name.' }] };
    refuse = () => ({ error: 'Invalid IR — not deployed.', error_code: 'INVALID_IR', data });
    void start();
    await printed(/✖ \S+app\.json:5:11: Not this name\. \(value, \/name\)\n/);
    refuse = () => undefined;
    save({ name: 'Another' });
    await printed(/dev\.1 is live/);
  });

  it('goes on after the last development version, which may be just this one', async () => {
    formerDeploys = [{ version: '0.2.0-dev.9' }, { version: '0.1.0-dev.7' }, { version: null }, { version: '0.1.0' }];
    refuse = (version) =>
      version === '0.1.0-dev.8' ? { error: 'Other content.', error_code: 'DEPLOY_VERSION_TAKEN' } : undefined;
    void start();
    await printed(/0\.1\.0-dev\.7 is live/);
    save({ name: 'More' });
    await printed(/0\.1\.0-dev\.9 is live/);
  });

  it('leaves a deploy that does not get through for what was saved meanwhile', async () => {
    refuse = () => ({ error: 'The Registry is down.', error_code: 'BACKEND_5XX', retryable: true });
    void start();
    await until(() => platform.noted.includes('The Registry is down. Trying again.'));
    refuse = () => undefined;
    save({ name: 'Newer' });
    await printed(/dev\.1 is live, /);
    expect(deployed).toMatchObject([{ ir_dict: { name: 'Newer' } }]);
  });

  it('goes on when the platform is away for a while', async () => {
    void start();
    await printed(/dev\.1 is live/);
    let isAway = true;
    platform.answer = (asked) =>
      isAway && asked.line === 'GET /v1/developer/apps/notes'
        ? [503, { detail: 'Not now.', code: 'unavailable' }]
        : answer(asked);
    save({ name: 'Saved meanwhile' });
    await until(() => platform.noted.includes('Not now. Trying again.'));
    isAway = false;
    await printed(/dev\.2 is live/);
  });

  it('says that there is no such file, and not that it watches it', async () => {
    expect(await platform.run('dev', join(folder, 'nope.ts'))).toMatchObject({
      message: expect.stringMatching(/nope\.ts does not exist/),
    });
    expect(platform.noted).not.toContain('Watching');
  });

  it.each(['active', 'pending_review', 'suspended'])('does not touch an app that is %s', async (is) => {
    status = is;
    expect(await platform.run('dev', file)).toEqual({ message: expect.stringMatching(/--app notes-dev/), exitCode: 1 });
    expect(deployed).toEqual([]);
  });

  it('stops when the app is published meanwhile', async () => {
    const end = start();
    await printed(/dev\.1 is live/);
    status = 'active';
    save({ name: 'Too late' });
    expect(await end).toMatchObject({ message: expect.stringMatching(/^notes is live/) });
    expect(versions()).toEqual(['0.1.0-dev.1']);
  });

  it('deploys as another app, whose own its events and calls of itself are', async () => {
    const steps = [
      { id: 'a', kind: 'emit', action: 'notes.added', params: {} },
      { id: 'b', kind: 'call', action: 'notes.main', params: {} },
      { id: 'c', kind: 'call', action: 'notes-archive.keep', params: {} },
    ];
    save({ steps, events: { emits: ['notes.added'] } });
    void start('--app', 'notes-dev');
    await printed(/✔ notes-dev 0\.1\.0-dev\.1 is live/);
    expect(deployed).toMatchObject([
      {
        app_id: 'notes-dev',
        ir_dict: {
          app: {
            id: 'notes-dev',
            events: { emits: [{ type: 'notes-dev.added' }] },
            functions: [
              {
                impl: { steps: [{ action: 'notes-dev.added' }, { action: 'main' }, { action: 'notes-archive.keep' }] },
              },
            ],
          },
        },
      },
    ]);
  });

  it('shows what the app logs, and gives programs an object a line', async () => {
    void start('--json');
    await printed(/"live"/);
    answerLogs([200, { items: [{ ...LINE, level: 'info', message: 'Done in 1.5 ms.' }], next: '7' }]);
    await printed(/"log"/);
    const events = platform.printed.trim().split('\n');
    expect(events.map((json) => JSON.parse(json) as object)).toEqual([
      { event: 'live', app_id: 'notes', version: '0.1.0-dev.1', seconds: null, webhooks: [] },
      { event: 'log', ...LINE, level: 'info', message: 'Done in 1.5 ms.' },
    ]);
  });

  it('builds an extension anew when any of its files is saved, also after one that could not be read', async () => {
    const source = join(folder, 'extension.ts');
    const part = join(folder, 'name.ts');
    writeFileSync(part, "export const name = 'Notes';\n");
    writeFileSync(
      source,
      `import { defineExtension } from '@platform/extension-sdk';
       import { name } from './name.js';
       export default defineExtension({ id: 'notes', version: '0.1.0', name, functions: { hi: { description: 'Says hi.', run: () => 'hi' } } });`,
    );
    ended = platform.run('dev', source);
    await printed(/✔ notes 0\.1\.0-dev\.1 is live\.\n {2}Functions {2}hi/);
    const broken = readFileSync(source, 'utf8');
    writeFileSync(source, 'export default {');
    await printed(/✖ \S*extension\.ts:1:\d+: .*\n.*Found 1 issue\. 0\.1\.0-dev\.1 keeps running\.\n/);
    writeFileSync(part, "export const name = 'More notes';\n");
    writeFileSync(source, broken);
    await printed(/dev\.2 is live/);
    writeFileSync(part, "export const name = 'Most notes';\n");
    await printed(/dev\.3 is live/);
    expect(deployed.map(({ ir_dict }) => ir_dict)).toMatchObject(
      ['Notes', 'More notes', 'Most notes'].map((title) => ({ app: { title } })),
    );
  });

  it('says what is missing before it begins', async () => {
    expect(await platform.run('dev', join(folder, 'nothing.json'))).toMatchObject({
      message: expect.stringMatching(/nothing\.json does not exist/),
    });
  });
});
