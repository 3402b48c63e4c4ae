import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunFile } from './run-file.mjs';
import { addressesFor, folderFor } from './running-platform.mjs';

const URLS = {
  'auth-gateway': 'http://localhost:5000',
  panel: 'http://localhost:5003',
  mailbox: 'http://localhost:5080',
  payments: 'http://localhost:5042',
};

let folder: string;
let file: string;
const processes: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platform-run-'));
  file = join(folder, 'run.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => processes.forEach((process) => process.kill('SIGKILL')));

/** Starts a process with the name of the platform's supervisor. */
async function supervisor(): Promise<number> {
  const script = join(folder, 'start.mjs');
  writeFileSync(script, 'console.log("runs"); setInterval(() => {}, 1000);');
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] });
  processes.push(child);
  await new Promise((done) => child.stdout.once('data', done));
  return child.pid ?? 0;
}

const write = (run: object) => writeFileSync(file, JSON.stringify({ stopping: false, processes: [], ...run }));

it('tells the command line and the tour where the platform of the folder runs', async () => {
  write({ pid: await supervisor(), urls: URLS });
  expect(addressesFor('platform', file)).toEqual({
    PLATFORM_URL: 'http://localhost:5000',
    PLATFORM_CLONE_URL: 'http://localhost:5000',
  });
  expect(addressesFor('tour', file)).toEqual({
    GATEWAY_URL: 'http://localhost:5000',
    PANEL_URL: 'http://localhost:5003',
    MAILBOX_URL: 'http://localhost:5080',
  });
  expect(addressesFor('bench', file)).toEqual({ RUNNING_PLATFORM_URL: 'http://localhost:5000' });
  expect(addressesFor('billing', file, {})).toEqual({ STRIPE_API_URL: 'http://localhost:5042' });
  for (const env of [{ DATABASE_URL: 'postgres://elsewhere' }, { STRIPE_SECRET_KEY: 'sk_live_x' }])
    expect(addressesFor('billing', file, env)).toEqual({});
  expect(addressesFor('migrate', file)).toEqual({});
});

it('tells nothing of a platform that was killed, of one that is not up yet, and where none runs', async () => {
  write({ pid: 2 ** 22 + 1, urls: URLS });
  expect(addressesFor('tour', file)).toEqual({});
  write({ pid: await supervisor() });
  expect(addressesFor('tour', file)).toEqual({});
  write({ pid: process.pid, urls: URLS }); // another process has reused its pid
  expect(addressesFor('tour', file)).toEqual({});
  writeFileSync(file, '{"pid":');
  expect(addressesFor('tour', file)).toEqual({});
  rmSync(file);
  expect(addressesFor('tour', file)).toEqual({});
  expect(addressesFor('platform', file)).toEqual({ PLATFORM_CLONE_URL: '' });
});

it('says in a line what to do where the snippet of the documents finds no platform', () => {
  for (const document of ['docs/first-journey.md', 'docs/extensions/tutorial.md']) {
    const [at = ''] = /^at\(\) .*$/m.exec(readFileSync(document, 'utf8')) ?? [];
    const ask = () => spawnSync('sh', ['-c', `${at}\nat panel`], { cwd: folder, encoding: 'utf8' });
    expect(ask()).toMatchObject({ stdout: '', stderr: 'Start the platform first: npm start\n' });
    mkdirSync(join(folder, '.data'));
    writeFileSync(join(folder, '.data', 'run.json'), '{"pid": 1}');
    expect(ask()).toMatchObject({ stdout: '', stderr: 'Start the platform first: npm start\n' });
    writeFileSync(join(folder, '.data', 'run.json'), JSON.stringify({ pid: 1, urls: URLS }));
    expect(ask()).toMatchObject({ stdout: `${URLS.panel}\n`, stderr: '' });
    rmSync(join(folder, '.data'), { recursive: true });
  }
});

it('keeps the addresses beside the processes that were started', () => {
  const run = new RunFile(file);
  run.add(process.pid, 'jest');
  run.announce(URLS);
  run.add(1, 'other');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    pid: process.pid,
    urls: URLS,
    processes: [{ pid: process.pid }, { pid: 1 }],
  });
});

it('is what the first journey asks, so that its commands work on any ports', () => {
  const shell = [...readFileSync('docs/first-journey.md', 'utf8').matchAll(/^```sh\n([^]*?)^```/gm)].map(
    ([, commands]) => commands ?? '',
  );
  expect(shell.join('')).toContain('.data/run.json');
  expect(shell.join('')).not.toMatch(/localhost:\d|127\.0\.0\.1:\d/);
});

it('runs the command line in the folder that somebody is in, and other tools in that of the clone', () => {
  expect(folderFor('tour', '/clone', { npm_lifecycle_event: 'tour', INIT_CWD: '/home/ada' })).toBe('/clone');
  expect(folderFor('platform', '/clone', { npm_lifecycle_event: 'platform', INIT_CWD: '/home/ada' })).toBe('/home/ada');
  // Variables of another npm script are ignored.
  expect(folderFor('platform', '/clone', { npm_lifecycle_event: 'dev', INIT_CWD: '/home/ada' })).toBe(process.cwd());
  expect(folderFor('platform', '/clone', {})).toBe(process.cwd());
});
