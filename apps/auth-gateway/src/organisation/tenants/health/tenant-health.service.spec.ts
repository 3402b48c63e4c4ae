import type { CreateTenantRequest, TenantDatabaseConfig, TenantHealthResponse } from '@platform/contracts';
import { until, type TestClient } from '@platform/testing';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { GatewayTest } from '../../../testing/gateway-test.js';
import { selfSigned } from '../../../testing/self-signed-certificate.js';
import { createTenant } from '../../../testing/tenants.js';

let gateway: GatewayTest;
let backend: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  backend = gateway.backend();
});
afterAll(() => gateway.stop());

/** A server with this behaviour for each connection. */
class Peer {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(talk: (socket: Socket) => void): Promise<Peer> {
    const server = createServer();
    const peer = new Peer(server, await listening(server));
    server.on('connection', (socket) => {
      peer.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => peer.sockets.delete(socket));
      talk(socket);
      socket.resume(); // otherwise it does not notice that the other side has closed
    });
    return peer;
  }

  get connections(): number {
    return this.sockets.size;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

type Settings = Pick<TenantDatabaseConfig, keyof TenantDatabaseConfig>;

/** The PostgreSQL server of the tests, as settings of a tenant. */
function postgres(): Settings & { port: number } {
  const { hostname, port, pathname, username, password } = new URL(gateway.service.env['DATABASE_URL'] ?? '');
  return { host: hostname, port: Number(port), database: pathname.slice(1), username, password };
}

/** Time limit of a check. */
const TIME_LIMIT_MS = 3_000;
const SETTINGS = { host: '127.0.0.1', database: 'the-database', username: 'the-user', password: 'the-password' };

interface Health {
  db_backend: string;
  healthy: boolean;
  message: string;
}

async function healthOf(db_config: Settings | null, settings: Partial<CreateTenantRequest> = {}): Promise<Health> {
  const { id, db_backend, isolation } = await createTenant(backend, { db_config, ...settings });
  expect(isolation).toBe(db_config ? 'dedicated' : 'shared');
  const { status, body } = await gateway.backend().get<TenantHealthResponse>(`/v1/tenants/${id}/health`);
  expect(status).toBe(200);
  expect(body).toEqual({
    tenant_id: id,
    db_backend,
    healthy: expect.any(Boolean),
    message: expect.any(String),
  });
  const { host, database, username, password } = db_config ?? SETTINGS;
  for (const secret of [host, database, username, password]) expect(body.message).not.toContain(secret);
  expect(gateway.service.logLines.join()).not.toContain(password);
  const { healthy, message } = body;
  return { db_backend: body.db_backend, healthy, message };
}

const onPostgres = (changes: Partial<Settings> = {}) =>
  healthOf({ ...postgres(), ...changes }, { db_backend: 'postgresql' });

describe('the health of a tenant', () => {
  it("without a database of its own is that of the platform's", async () => {
    expect(await healthOf(null)).toMatchObject({ db_backend: 'postgresql', healthy: true, message: 'shared' });
    expect(await backend.get('/v1/tenants/default/health')).toMatchObject({
      status: 200,
      body: { healthy: true, message: 'shared' },
    });
  });

  it('says so when the key is gone that sealed the settings', async () => {
    const { id } = await createTenant(backend, { db_config: SETTINGS });
    await gateway.service.query(
      "UPDATE tenants SET sealed_db_config = 'k0' || substr(sealed_db_config, 3) WHERE id = $1",
      [id],
    );
    const { body } = await backend.get<TenantHealthResponse>(`/v1/tenants/${id}/health`);
    expect(body).toMatchObject({ healthy: false, message: expect.stringContaining('SECRET_KEYS') });
  });

  it('holds no connection to our database while it waits', async () => {
    const silent = await Peer.start(() => undefined);
    const db_config = { ...SETTINGS, port: silent.port };
    const { id } = await createTenant(backend, { db_config });
    // The test ends the time limit of the check.
    const limit = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const limits = jest
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => (ms === TIME_LIMIT_MS ? limit.signal : timeout(ms)));
    let isAnyOver = false;
    const checks = Array.from({ length: 20 }, () =>
      backend.get<TenantHealthResponse>(`/v1/tenants/${id}/health`).finally(() => (isAnyOver = true)),
    );
    expect((await backend.get(`/v1/tenants/${id}`)).status).toBe(200);
    expect(isAnyOver).toBe(false);
    await until(() => limits.mock.calls.filter(([ms]) => ms === TIME_LIMIT_MS).length === checks.length);
    limit.abort();
    limits.mockRestore();
    for (const { body } of await Promise.all(checks)) expect(body.healthy).toBe(false);
    silent.stop();
  });
});

describe('the health of a tenant on PostgreSQL', () => {
  it('is found by signing in and running a query', async () => {
    const signedIn = await onPostgres();
    expect(signedIn).toMatchObject({ healthy: true, message: 'Signed in to PostgreSQL and ran a query, without TLS.' });
    await until(
      async () =>
        !(await gateway.service.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'health'")).length,
    );
  });

  it('goes over TLS where the server can', async () => {
    const { port } = postgres();
    const secureContext = createSecureContext(selfSigned());
    const inFront = await Peer.start((socket) =>
      socket.once('data', () => {
        socket.write('S'); // accepts the SSLRequest
        const plain = new TLSSocket(socket, { isServer: true, secureContext });
        plain
          .pipe(connect(port))
          .pipe(plain)
          .on('error', () => undefined);
      }),
    );
    const message = 'Signed in to PostgreSQL and ran a query, over TLS; the certificate was not checked.';
    expect(await onPostgres({ port: inFront.port })).toMatchObject({ healthy: true, message });
    inFront.stop();
  });

  it.each([
    ['a wrong password', { password: 'not the password' }, 'The user name or the password is wrong.'],
    ['an unknown user', { username: 'nobody' }, 'The user name or the password is wrong.'],
    ['an unknown database', { database: 'no_such_database' }, 'The database does not exist on the server.'],
  ])('is bad with %s', async (_what, changes, message) => {
    expect(await onPostgres(changes)).toMatchObject({ healthy: false, message });
  });

  it('is bad where nobody listens', async () => {
    const closed = await Peer.start(() => undefined);
    closed.stop();
    expect(await onPostgres({ port: closed.port })).toMatchObject({
      healthy: false,
      message: 'The host refused the connection. Check the port.',
    });
  });

  it('is bad after 3 seconds where nobody answers, and the connection is gone', async () => {
    const silent = await Peer.start(() => undefined);
    const limits = jest.spyOn(AbortSignal, 'timeout');
    const health = await onPostgres({ port: silent.port });
    expect(health).toMatchObject({ healthy: false, message: 'The database did not answer within 3 seconds.' });
    expect(limits).toHaveBeenCalledWith(TIME_LIMIT_MS);
    limits.mockRestore();
    await until(() => silent.connections === 0);
    silent.stop();
  });

  it.each([
    ['hangs up', (socket: Socket) => socket.end()],
    ['says no to TLS and hangs up', (socket: Socket) => socket.once('data', () => socket.end('N'))],
    ['speaks another protocol', (socket: Socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
    [
      'says yes to TLS and speaks none',
      (socket: Socket) => socket.once('data', () => socket.write('S').valueOf() && socket.write('x'.repeat(500))),
    ],
    [
      'says no to TLS and then anything',
      (socket: Socket) => socket.on('data', () => socket.write(`N${'\u0001'.repeat(500)}`)),
    ],
  ])('is bad where somebody %s', async (_what, talk) => {
    const peer = await Peer.start(talk);
    expect(await onPostgres({ port: peer.port })).toMatchObject({ healthy: false });
    peer.stop();
  });
});
