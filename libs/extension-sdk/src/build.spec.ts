import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentHash } from '@platform/app-document';
import { buildExtension, BuildError, type SourceIssue } from './build.js';
import * as handlers from './handlers.js';
import * as sdk from './index.js';
import { NOTES, SHOUT } from './testing/notes-extension.js';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Creates a project with these files. */
function project(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'extension-')));
  folders.push(folder);
  mkdirSync(join(folder, 'src'));
  for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files }))
    writeFileSync(join(folder, name), text);
  return folder;
}
const built = (files: Record<string, string>) => buildExtension(join(project(files), 'src/extension.ts'));
const issuesOf = async (extension: string): Promise<SourceIssue[]> => {
  const error = await built({ 'src/extension.ts': extension }).catch((reason: unknown) => reason);
  if (!(error instanceof BuildError)) throw new Error(`This was built, or failed otherwise: ${String(error)}`);
  return error.issues.map((issue) => ({ ...issue, file: issue.file.replace(/.*\/src\//, 'src/') }));
};
const GOOD = { 'src/extension.ts': NOTES, 'src/shout.ts': SHOUT };

describe('an extension', () => {
  it('becomes a document with its schemas, and one module without them', async () => {
    const { document, issues, warnings, inputs } = await built(GOOD);
    expect([issues, warnings]).toEqual([[], []]);
    const { modules, ...app } = document?.app ?? {};
    expect(app).toMatchSnapshot();
    expect(Object.keys(modules ?? {})).toEqual(['main']);
    const { source = '', source_map = '' } = modules?.['main'] ?? {};
    expect(source.length).toBeLessThan(5000);
    expect(JSON.parse(source_map ?? '')).toMatchObject({
      version: 3,
      sources: expect.arrayContaining(['src/extension.ts', 'src/shout.ts', 'extension-sdk:handlers']),
    });
    expect(inputs.map((file) => file.replace(/.*\/src\//, ''))).toEqual(
      expect.arrayContaining(['extension.ts', 'shout.ts']),
    );
    expect(inputs).toHaveLength(2);
  });

  it('has a handler for each method of a path', async () => {
    const extension = `import { defineExtension } from '@platform/extension-sdk';
      export default defineExtension({ id: 'hub', version: '1.0.0', webhooks: { in: [
        { method: 'GET', run: () => ({ body: 'challenge' }) },
        { method: ['POST', 'PUT'], run: () => ({ body: 'event' }) } ] } });`;
    const { document, issues } = await built({ 'src/extension.ts': extension });
    expect(issues).toEqual([]);
    const { webhooks = [], modules } = document?.app ?? {};
    expect(webhooks.map(({ path, method }) => [path, method])).toEqual([
      ['in', 'GET'],
      ['in', ['POST', 'PUT']],
    ]);
    const file = join(project({ 'main.mjs': modules?.['main']?.source ?? '' }), 'main.mjs');
    const exported = (await import(file)) as Record<string, () => unknown>;
    const entries = webhooks.map(({ impl }) => (impl.kind === 'code' ? impl.entry : ''));
    expect(entries.map((entry) => exported[entry]?.())).toEqual([{ body: 'challenge' }, { body: 'event' }]);
    expect(
      await issuesOf(extension.replace("{ method: 'GET', run: () => ({ body: 'challenge' }) }", '{}')),
    ).toMatchObject([{ message: 'webhooks.in has no function "run".' }]);
  });

  it('is the same document wherever it is built', async () => {
    const [one, other] = await Promise.all([built(GOOD), built(GOOD)]);
    expect(one.document && documentHash(one.document)).toBe(other.document && documentHash(other.document));
  });

  it('runs with what stands in for the SDK in the module', async () => {
    const { document } = await built(GOOD);
    const file = join(project({ 'main.mjs': document?.app.modules?.['main']?.source ?? '' }), 'main.mjs');
    const { function_add_note: add } = (await import(file)) as Record<
      string,
      (event: unknown, ctx: unknown) => Promise<unknown>
    >;
    const store = { count: () => 0, create: (_collection: string, data: object) => ({ id: JSON.stringify(data) }) };
    const ctx = { store, config: { get: () => 10 }, extensions: { emit: () => undefined } };
    expect(await add?.({ text: 'hi', loud: true }, ctx)).toMatchObject({
      data: { id: '{"text":"HI"}' },
      summary: 'Noted.',
    });
    await expect(add?.({ text: 'hi' }, { ...ctx, store: { count: () => 10 } })).rejects.toMatchObject({
      code: 'NOTES_FULL',
    });
  });

  it('is told by its own names what is wrong with its document', async () => {
    const { document, issues, placeOf } = await built({
      'src/extension.ts': NOTES.replace("'1.0.0'", "'one'")
        .replace("cron: '@daily'", "cron: 'daily'")
        .replace("'notes.created'", "'tasks.created'")
        .replace('{ minLength: 1 }', '{ pattern: "(?=x)" }'),
      'src/shout.ts': SHOUT,
    });
    expect(document).toBeNull();
    expect(issues.map((issue) => `${placeOf(issue)} ${issue.rule}`).sort()).toEqual([
      'emits.tasks.created event_prefix',
      'functions.add_note.params.properties.text.pattern json_schema',
      'schedules.nightly.cron cron',
      'version value',
    ]);
  });
});

describe('what cannot be built', () => {
  it('is told by file, line and column', async () => {
    expect(await issuesOf('export default {\n  id: ;\n};')).toEqual([
      { file: 'src/extension.ts', line: 2, column: 7, message: 'Unexpected ";".' },
    ]);
    expect(await issuesOf("import fs from 'node:fs';\nimport './gone';\nexport default { id: fs };")).toMatchObject([
      { file: 'src/extension.ts', line: 2, column: 8, message: expect.stringContaining('"./gone"') },
    ]);
    expect(
      await issuesOf("import fs from 'node:fs';\nexport default { id: 'a', functions: { f: { run: () => fs } } };"),
    ).toMatchObject([{ line: 1, message: expect.stringContaining('node:fs') }]);
    expect(await issuesOf('const a = 1;\n\nexport default a.b.c;')).toEqual([
      {
        file: 'src/extension.ts',
        line: 3,
        column: expect.any(Number),
        message: "TypeError: Cannot read properties of undefined (reading 'c').",
      },
    ]);
    expect(await issuesOf('export const a = 1;')).toMatchObject([{ message: expect.stringContaining('default') }]);
    expect(await issuesOf('export default 7;')).toMatchObject([
      { message: expect.stringContaining('defineExtension') },
    ]);
    expect(await issuesOf("export default { id: 'a', functions: { f: { description: 'x' } } };")).toMatchObject([
      { message: 'functions.f has no function "run".' },
    ]);
    expect(await issuesOf('process.exit(0); export default {};')).toMatchObject([
      { file: 'src/extension.ts', line: 1 },
    ]);
  });
});

it('has in the module all that the SDK has for handlers', () => {
  expect(Object.keys(handlers).sort()).toEqual(Object.keys(sdk).sort());
});
