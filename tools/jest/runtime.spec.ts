import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { Client } from 'pg';

it.each(['mock', 'doMock', 'setMock'] as const)(
  'jest.%s refuses a module, which Node.js would load as it is',
  (name) => {
    expect(() => jest[name]('./test-cluster.js', () => ({}))).toThrow('No module can be mocked');
  },
);

it('jest.mock without a factory is refused, too', () => {
  const { mock } = jest;
  expect(() => mock('./test-cluster.js')).toThrow('No module can be mocked');
});

it('what a file keeps in an AsyncLocalStorage ends with the file', async () => {
  const Environment = createRequire(process.cwd() + '/package.json')('./tools/jest/environment.cjs') as new (
    config: object,
  ) => {
    teardown(): Promise<void>;
  };
  const [ofOuter, ofInner] = [new AsyncLocalStorage<string>(), new AsyncLocalStorage<string>()];
  ofOuter.enterWith('stays');
  const environment = new Environment({ projectConfig: { fakeTimers: {} } });
  ofInner.enterWith('goes');
  await environment.teardown();
  expect([ofOuter.getStore(), ofInner.getStore()]).toEqual(['stays', undefined]);
});

it('what a file says of its terminal ends with the file, and no file sees where it runs', async () => {
  const Environment = createRequire(process.cwd() + '/package.json')('./tools/jest/environment.cjs') as new (
    config: object,
  ) => {
    teardown(): Promise<void>;
  };
  Object.assign(process.env, { CI: 'true', https_proxy: 'http://proxy:3128' });
  const isTerminal = process.stderr.isTTY;
  const environment = new Environment({ projectConfig: { fakeTimers: {} } });
  expect([process.env['CI'], process.env['https_proxy']]).toEqual([undefined, undefined]);
  Object.defineProperty(process.stderr, 'isTTY', { value: !isTerminal, configurable: true });
  await environment.teardown();
  expect([process.env['CI'], process.stderr.isTTY]).toEqual(['true', isTerminal]);
});

it('`pg` reaches the PostgreSQL of the tests over its Unix domain socket', async () => {
  const client = new Client(process.env['TEST_POSTGRES_URL']);
  await client.connect();
  const { rows } = await client.query('SELECT inet_client_addr() AS address').finally(() => client.end());
  expect(rows).toEqual([{ address: null }]);
});
