import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformStandIn } from '../testing/platform-stand-in.js';

let platform: PlatformStandIn;
let folder: string;
let source: string;
beforeAll(async () => (platform = await PlatformStandIn.start()));
beforeEach(async () => {
  platform.reset();
  folder = join(mkdtempSync(join(tmpdir(), 'platform-extension-')), 'my-notes');
  source = join(folder, 'src/extension.ts');
  expect(await platform.run('init', '--typescript', folder)).toBeNull();
  platform.reset();
});
afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true });
  jest.restoreAllMocks();
});
afterAll(() => platform.stop());

const change = (from: string, to: string) => writeFileSync(source, readFileSync(source, 'utf8').replace(from, to));

describe('platform init --typescript', () => {
  it('writes an extension that is good, and nothing over what is there', async () => {
    expect(await platform.run('validate', source)).toBeNull();
    expect(platform.printed).toBe(`${source} is good: my-notes 0.1.0.\n`);
    expect(await platform.run('init', '--typescript', folder)).toMatchObject({
      message: `There is a ${join(folder, 'package.json')} already.`,
    });
  });
});

describe('platform validate', () => {
  it('tells where in the source something is wrong', async () => {
    change('minLength: 1', "pattern: '(?=x)'");
    expect(await platform.run('validate', source)).toMatchObject({ message: 'There is one issue.' });
    expect(platform.printed).toMatch(
      /extension\.ts:12:\d+: functions\.add_note\.params\.properties\.text\.pattern: This pattern .*json_schema/,
    );
  });

  it('tells where the source cannot be read', async () => {
    change('functions: {', 'functions: [');
    expect(await platform.run('--json', 'validate', source)).toMatchObject({ exitCode: 1 });
    expect(JSON.parse(platform.printed)).toMatchObject({ valid: false, issues: [{ rule: 'syntax', line: 9 }] });
    expect(await platform.run('validate', join(folder, 'none.ts'))).toMatchObject({
      message: `There is no ${join(folder, 'none.ts')}. \`platform init --typescript\` writes one.`,
    });
  });
});

describe('platform build', () => {
  it('writes the document', async () => {
    const out = join(folder, 'app.json');
    expect(await platform.run('build', source, '--out', out)).toBeNull();
    expect(platform.printed).toBe(`${out} is the document of my-notes 0.1.0.\n`);
    const built = JSON.parse(readFileSync(out, 'utf8')) as { app: { functions: { impl: object }[] } };
    expect(built.app.functions.map(({ impl }) => impl)).toEqual(
      ['add_note', 'list_notes'].map((name) => ({ kind: 'code', module: 'main', entry: `function_${name}` })),
    );
    expect(await platform.run('validate', out)).toBeNull();
    platform.reset();
    expect(await platform.run('build', source)).toBeNull();
    expect(JSON.parse(platform.printed)).toEqual(built);
  });
});

describe('platform test', () => {
  const outcome = (test: object) => ({
    status: 'success',
    data: { result: null, error: null, error_code: null, trace: { effects: [] }, ...test },
  });

  it('has the platform run functions without any effect, and tells what they would have done', async () => {
    platform.answer = () => [
      200,
      outcome({ ok: true, result: { id: 'doc_1' }, trace: { effects: [{ what: 'emit', details: { type: 'my-notes.added' } }] } }),
    ];
    expect(await platform.run('test', 'add_note', '--file', source, '--params', '{"text": "Hi"}')).toBeNull();
    expect(platform.asked[1]).toMatchObject({
      line: 'POST /v1/extensions/developer/call',
      body: { function: 'smoke_ir', params: { function: 'add_note', args: { text: 'Hi' }, ir_dict: { app: { id: 'my-notes' } } } },
    });
    expect(platform.printed).toBe('✔ add_note\n  {\n    "id": "doc_1"\n  }\n  would have done: emit {"type":"my-notes.added"}\n');
  });

  it('runs all that need no params, and fails when one fails', async () => {
    platform.answer = () => [200, outcome({ ok: false, error: 'No.', error_code: 'HANDLER_FAILED' })];
    expect(await platform.run('test', '--file', source)).toMatchObject({ message: 'One function failed.', exitCode: 1 });
    expect(platform.printed).toBe('✖ list_notes\n  No. (HANDLER_FAILED)\n');
    change('id: ', 'di: ');
    platform.reset();
    expect(await platform.run('test', '--file', source)).toMatchObject({ message: expect.stringContaining('Nothing was run.') });
    expect(platform.asked).toEqual([]);
  });
});
