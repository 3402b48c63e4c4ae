import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../failures.js';
import { checkDocumentFile } from './document-file.js';
import { appIdOf, starterDocument } from './starter.js';

const folder = mkdtempSync(join(tmpdir(), 'platform-document-'));
afterAll(() => rmSync(folder, { recursive: true }));

const check = (text: string) => {
  const file = join(folder, 'app.json');
  writeFileSync(file, text);
  return checkDocumentFile(file);
};
const places = async (text: string) =>
  (await check(text)).issues.map(({ line, column, rule }) => `${line}:${column} ${rule}`);

describe('the document in a file', () => {
  it('is taken with and without a byte order mark', async () => {
    const text = JSON.stringify(starterDocument('notes', 'https://example.com'));
    for (const start of ['', '\uFEFF'])
      await expect(check(start + text)).resolves.toMatchObject({ document: { app: { id: 'notes' } }, issues: [] });
  });

  it('has its issues where they stand, in the order of the lines', async () => {
    const text = `{
  "steps": [
    { "id": "a", "kind": "log", "action": "info", "params": { "mesage": "x" } },
    { "id": "b", "kind": "lug", "action": "info" }
  ],
  "app_id": "notes",
  "versión": 1
}`;
    await expect(places(text)).resolves.toEqual([
      '1:1 required',
      '3:61 required',
      '3:63 unknown_key',
      '4:26 unknown_operation',
      '7:3 unknown_key',
    ]);
  });

  it.each(['Demo_1', 'd', 'demo-', '-demo'])('has an id under which an app can be made, unlike %j', async (appId) => {
    const text = `{ "version": "1.0.0",\n  "app_id": ${JSON.stringify(appId)}, "name": "Demo", "steps": [] }`;
    const { document, issues } = await check(text);
    expect(document).toBeNull();
    const message = expect.not.stringContaining('pattern');
    expect(issues.filter(({ pointer }) => pointer === '/app_id')).toEqual([
      expect.objectContaining({ line: 2, column: 13, message }),
    ]);
  });

  it('is not one in which a key stands twice', async () => {
    await expect(places('{"app_id": "notes", "version": "1.0.0",\n "steps": [], "app_id": "tasks"}')).resolves.toEqual([
      '2:15 duplicate',
    ]);
  });

  it.each([
    ['', '1:1 json'],
    ['{"a": 1,\n  b}', '2:3 json'],
    ['{"a": 1} x', '1:10 json'],
    ['// no comments\n{}', '1:1 json'],
  ])('is not %j', async (text, issue) => {
    await expect(places(text)).resolves.toEqual([issue]);
  });

  it('must be there', async () => {
    await expect(checkDocumentFile(join(folder, 'none.json'))).rejects.toThrow(
      new CommandError(`${join(folder, 'none.json')} does not exist. Create an app.json with \`platform init\`.`),
    );
    await expect(checkDocumentFile(folder)).rejects.toThrow(`${folder} is a folder.`);
  });
});

describe('a new app', () => {
  it.each([
    ['notes', 'notes'],
    ['My Notes (2)', 'my-notes-2'],
    ['--Ünïcode--', 'n-code'],
    ['', 'my-app'],
    ['?', 'my-app'],
    ['x'.repeat(100), 'x'.repeat(64)],
    [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
  ])('in the folder %j is called %s', (name, id) => {
    expect(appIdOf(name)).toBe(id);
    expect(id).toMatch(/^[a-z0-9][a-z0-9-]*[a-z0-9]$/);
  });
});
