import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { starterDocument } from '../app-document/starter.js';
import { run } from '../run.js';

const folder = mkdtempSync(join(tmpdir(), 'platform-validate-'));
const file = join(folder, 'app.json');
let [printed, noted] = ['', ''];
beforeEach(() => {
  printed = noted = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => Boolean((printed += String(chunk))));
  jest.spyOn(process.stderr, 'write').mockImplementation((chunk) => Boolean((noted += String(chunk))));
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true }));

it('tells programs what is wrong with an app in the same words as a deploy', async () => {
  writeFileSync(file, JSON.stringify({ ...starterDocument('notes', ''), version: 'one' }));
  expect(await run(['validate', file, '--json'])).toBe(1);
  const { valid, issues } = JSON.parse(printed) as { valid: boolean; issues: object[] };
  expect([valid, issues]).toEqual([false, [expect.objectContaining({ pointer: '/version' })]]);
  expect(JSON.parse(noted)).toEqual({
    error: { code: 'invalid_app', message: 'Found 1 issue.', exit_code: 1, issues },
  });
  printed = noted = '';
  expect(await run(['deploy', file, '--json'])).toBe(1);
  expect(JSON.parse(noted)).toEqual({ error: expect.objectContaining({ code: 'invalid_app', exit_code: 1, issues }) });
});

it('says of a page that there is not which there are', async () => {
  expect(await run(['open', 'nope'])).toBe(2);
  expect(noted).toContain('panel, wallet, subscription, payments, signup, login, device, docs');
});
