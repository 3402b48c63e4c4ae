import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakePlatform, type Answer, type Asked } from '../testing/fake-platform.js';

jest.setTimeout(120_000); // loading TypeScript on a busy machine

let platform: FakePlatform;
let folder: string;
let source: string;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(async () => {
  platform.reset();
  platform.answer = served(platform.url);
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

/** Information of a platform with its packages at `panel`. */
const served =
  (panel: string) =>
  ({ line }: Asked): Answer => {
    const sdk = {
      name: '@platform/extension-sdk',
      version: '0.1.0',
      url: `${panel}/packages/extension-sdk-0.1.0.tgz`,
      integrity: 'sha512-x',
    };
    if (line === 'GET /') return [200, { panel, docs: `${panel}/docs` }];
    return line === 'GET /packages/index.json' ? [200, { packages: { cli: sdk, 'extension-sdk': sdk } }] : [404, {}];
  };

const change = (from: string, to: string) => writeFileSync(source, readFileSync(source, 'utf8').replace(from, to));

describe('platform init --typescript', () => {
  it('has the SDK come from the platform, by its address, and nothing of its scope from anywhere else', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    expect(manifest.devDependencies).toEqual({
      '@platform/extension-sdk': `${platform.url}/packages/extension-sdk-0.1.0.tgz`,
      '@types/node': '>=20',
      typescript: '>=5.4',
    });
    expect(readFileSync(join(folder, '.npmrc'), 'utf8')).toBe(`@platform:registry=${platform.url}/packages/\n`);
  });

  it('writes nothing without the platform', async () => {
    const elsewhere = join(folder, '..', 'other');
    platform.answer = () => [200, { hello: 'world' }];
    expect(await platform.run('init', '--typescript', elsewhere)).toMatchObject({
      message: `The platform cannot be reached at ${platform.url}/: the server there is not the platform. Check the address, which comes from --url.`,
      exitCode: 1,
    });
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('writes an extension that is good, and nothing over what is there', async () => {
    expect(await platform.run('validate', source)).toBeNull();
    expect(platform.printed).toBe(`${source} is valid: my-notes 0.1.0.\n`);
    platform.answer = served(platform.url);
    expect(await platform.run('init', '--typescript', folder)).toMatchObject({
      message: `${join(folder, 'package.json')} already exists. Choose another folder.`,
    });
  });
});

describe('platform validate', () => {
  it('tells where in the source something is wrong', async () => {
    change('minLength: 1', "pattern: '(?=x)'");
    expect(await platform.run('validate', source)).toMatchObject({ message: 'Found 1 issue.' });
    expect(platform.printed).toMatch(
      /extension\.ts:12:\d+: functions\.add_note\.params\.properties\.text\.pattern: This pattern .*json_schema/,
    );
  });

  it('tells where the source cannot be read', async () => {
    change('functions: {', 'functions: [');
    expect(await platform.run('--json', 'validate', source)).toMatchObject({ exitCode: 1 });
    expect(JSON.parse(platform.printed)).toMatchObject({ valid: false, issues: [{ rule: 'syntax', line: 9 }] });
    expect(await platform.run('validate', join(folder, 'none.ts'))).toMatchObject({
      message: `${join(folder, 'none.ts')} does not exist. Create a src/extension.ts with \`platform init --typescript\`.`,
    });
  });
});

describe('types', () => {
  const issues = async () => {
    await platform.run('--json', 'validate', source);
    return (
      JSON.parse(platform.printed) as { issues: { line: number; column: number; message: string; rule: string }[] }
    ).issues;
  };

  it('that are wrong are issues at their place, by validate and deploy', async () => {
    change('ctx.store.create', 'ctx.stroe.create');
    expect(await issues()).toEqual([
      expect.objectContaining({
        rule: 'types',
        line: 14,
        column: 34,
        message: expect.stringContaining("'stroe' does not exist"),
      }),
    ]);
    platform.reset();
    expect(await platform.run('deploy', source)).toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/extension\.ts:14:34: .*'stroe'.*Did you mean 'store'\?.*Nothing was deployed/s),
    });
    expect(platform.asked).toEqual([]);
  });

  it('say what handlers have instead of what they lack', async () => {
    change('const { id }', "await fetch('https://example.com');\n        const { id }");
    expect(await issues()).toMatchObject([{ line: 14, message: expect.stringContaining('ctx.http.get') }]);
    platform.reset();
    change("await fetch('https://example.com');", 'new TextEncoder(); crypto.randomUUID(); console.log(atob("aGk="));');
    expect(await issues()).toEqual([]);
    platform.reset();
    change('import {', "import { request } from 'node:https';\nimport {");
    change('crypto.randomUUID()', 'request()');
    expect(await issues()).toMatchObject([{ rule: 'syntax', line: 1, message: expect.stringContaining('ctx.http') }]);
  });

  it('of JavaScript are checked where they are sure', async () => {
    const script = join(folder, 'script.js');
    writeFileSync(
      script,
      `import { defineExtension } from '@platform/extension-sdk';
export default defineExtension({ id: 'notes', version: '1.0.0', functions: { add: { description: 'Adds.', async run(params, ctx) {
  const made = {}; made.text = params.text;
  const { body } = await ctx.http.get('https://example.com');
  return body.items.map((item) => item.size + params.more * 2);
} } } });\n`,
    );
    source = script;
    expect(await issues()).toEqual([]);
    platform.reset();
    change('ctx.http.get', 'ctx.htpp.get');
    expect(await issues()).toMatchObject([
      { rule: 'types', line: 4, column: 30, message: expect.stringContaining("'htpp'") },
    ]);
  });
});

describe('platform build', () => {
  it('writes the document', async () => {
    const out = join(folder, 'app.json');
    expect(await platform.run('build', source, '--out', out)).toBeNull();
    expect(platform.printed).toBe(`${out} now contains the document of my-notes 0.1.0.\n`);
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
      outcome({
        ok: true,
        result: { id: 'doc_1' },
        trace: { effects: [{ what: 'emit', details: { type: 'my-notes.added' } }] },
      }),
    ];
    expect(await platform.run('test', 'add_note', '--file', source, '--params', '{"text": "Hi"}')).toBeNull();
    expect(platform.asked[1]).toMatchObject({
      line: 'POST /v1/extensions/developer/call',
      body: {
        function: 'smoke_ir',
        params: { function: 'add_note', args: { text: 'Hi' }, ir_dict: { app: { id: 'my-notes' } } },
      },
    });
    expect(platform.printed).toBe(
      '✔ add_note\n  {\n    "id": "doc_1"\n  }\n  recorded effect: emit {"type":"my-notes.added"}\n',
    );
  });

  it('says in which line a function failed', async () => {
    const stack =
      '    at helper (extension-sdk:handlers:3:1)\n    at run (src/extension.ts:14:50)\n    at handlers.js:2:1';
    const step = { id: 'main.function_add_note', kind: 'code', ok: false, result: { error: 'No.', stack } };
    const failed = { ok: false, error: 'No.', error_code: 'HANDLER_FAILED', trace: { steps: [step], effects: [] } };
    platform.answer = () => [200, outcome(failed)];
    await platform.run('test', 'add_note', '--file', source);
    expect(platform.printed).toMatch(/^✖ add_note\n {2}\S*src\/extension\.ts:14:50: No\. \(HANDLER_FAILED\)\n$/);

    const document = join(folder, 'app.json');
    await platform.run('init', folder);
    platform.reset();
    platform.answer = () => [
      200,
      outcome({ ...failed, trace: { steps: [{ ...step, id: 'note', kind: 'store', result: null }], effects: [] } }),
    ];
    await platform.run('--json', 'test', 'add_note', '--file', document);
    const { place } = JSON.parse(platform.printed) as { place: { line: number } };
    expect(readFileSync(document, 'utf8').split('\n')[place.line - 1]).toContain('"id": "note"');
  });

  it('says what is wrong with a file of params', async () => {
    expect(await platform.run('test', 'add_note', '--file', source, '--params', '@missing')).toEqual({
      message: 'Cannot read the params from missing. The file does not exist.',
      exitCode: 2,
    });
    expect(await platform.run('test', 'add_note', '--file', source, '--params', `@${folder}`)).toMatchObject({
      exitCode: 2,
    });
  });

  it('runs all that need no params, and fails when one fails', async () => {
    platform.answer = () => [200, outcome({ ok: false, error: 'No.', error_code: 'HANDLER_FAILED' })];
    expect(await platform.run('test', '--file', source)).toMatchObject({ message: '1 function failed.', exitCode: 1 });
    expect(platform.printed).toBe('✖ list_notes\n  No. (HANDLER_FAILED)\n');
    change('id: ', 'di: ');
    platform.reset();
    expect(await platform.run('test', '--file', source)).toMatchObject({
      message: expect.stringContaining('Nothing was run.'),
    });
    expect(platform.asked).toEqual([]);
  });
});
