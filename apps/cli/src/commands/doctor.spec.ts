import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { contextFactory } from '../context.js';
import { Interruption } from '../interruption.js';
import { createProgram } from '../program.js';
import { FakePlatform } from '../testing/fake-platform.js';
import { VERSION } from '../version.js';

let platform: FakePlatform;
beforeAll(async () => (platform = await FakePlatform.start()));
beforeEach(() => platform.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(() => platform.stop());

/** Simulates a platform that serves this version of the command. */
function serving(version: string): void {
  const served = { name: 'served', version, url: 'https://panel.example/packages/served.tgz', integrity: 'sha512-' };
  platform.answer = ({ line }) => {
    if (line === 'GET /') return [200, { panel: platform.url, docs: `${platform.url}/docs` }];
    return [200, line === 'GET /packages/index.json' ? { packages: { cli: served, 'extension-sdk': served } } : {}];
  };
}

const stateOf = (name: string): unknown =>
  (JSON.parse(platform.printed) as { checks: { name: string; state: string }[] }).checks.find(
    (check) => check.name === name,
  )?.state;

describe('platform doctor', () => {
  it('finds nothing wrong where all is as it should be', async () => {
    serving(VERSION);
    expect(await platform.run('doctor', '--json')).toBeNull();
    expect(['node', 'platform', 'version', 'login'].map(stateOf)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  it('only warns of a version that the platform does not serve, and says where its own is', async () => {
    serving('9.9.9');
    expect(await platform.run('doctor')).toBeNull();
    expect(platform.printed).toContain(
      `! version   This is ${VERSION}, but the platform serves 9.9.9. Install it from https://panel.example/packages/served.tgz`,
    );
  });

  it('fails, having said all the same what it found, where no platform answers', async () => {
    expect(await platform.run('doctor', '--json')).toEqual({ message: '1 check failed.', exitCode: 1 });
    expect(JSON.parse(platform.printed)).toMatchObject({ ok: false });
    expect(['node', 'platform', 'login'].map(stateOf)).toEqual(['ok', 'failed', 'ok']);
  });

  it('asks nobody where no platform runs from the clone, and says so', async () => {
    process.env['PLATFORM_CLONE_URL'] = '';
    const asked = jest.spyOn(globalThis, 'fetch');
    try {
      const program = createProgram(contextFactory(new Interruption()));
      await expect(program.parseAsync(['doctor', '--json'], { from: 'user' })).rejects.toThrow('1 check failed.');
      expect(['node', 'platform', 'login'].map(stateOf)).toEqual(['ok', 'failed', undefined]);
      expect(platform.printed).toContain('No platform runs from this repository.');
      expect(asked).not.toHaveBeenCalled();
    } finally {
      delete process.env['PLATFORM_CLONE_URL'];
    }
  });

  it('fails where something else than a platform answers', async () => {
    platform.answer = () => [404, {}];
    expect(await platform.run('doctor', '--url', platform.url)).toEqual({ message: '1 check failed.', exitCode: 1 });
    expect(platform.printed).toContain(
      `✖ platform  ${platform.url} answers, but not like a platform: status 404 for /healthz.`,
    );
  });

  it('says once that nothing answers, and where the address comes from', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.close();
    await once(server, 'close');
    expect(await platform.run('doctor', '--url', url)).toEqual({ message: '1 check failed.', exitCode: 1 });
    expect(platform.printed).toContain(
      `✖ platform  ${url} cannot be reached. Check the address, which comes from --url.\n`,
    );
    expect(platform.printed).not.toContain('login');
  });
});
