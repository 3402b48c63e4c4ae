import { Controller, Get, Module } from '@nestjs/common';
import { connectDatabase, PersistenceModule } from '@platform/persistence';
import { parseConfig, serviceConfig, servicePorts, type ServiceDefinition } from '@platform/platform';
import { TestService } from '@platform/testing';
import { DataSource } from 'typeorm';
import { Access } from '../access.js';
import { GuardsModule } from '../guards.module.js';
import { PostgresRateLimiter } from './postgres-rate-limiter.js';
import { RateLimit } from './rate-limit.guard.js';
import { RateLimiter } from './rate-limiter.js';

@Controller('limited')
class Limited {
  @Get() @Access('public') @RateLimit({ name: 'few', quota: 3, windowSeconds: 3_600 }) few() {
    return {};
  }
  @Get('service')
  @Access('service', { permission: 'users' })
  @RateLimit({ name: 'service', quota: 1, windowSeconds: 60 })
  service() {
    return {};
  }
  @Get('twice')
  @Access('public')
  @RateLimit({ name: 'minute', quota: 5, windowSeconds: 60 }, { name: 'hour', quota: 2, windowSeconds: 3_600 })
  twice() {
    return {};
  }
  @Get('free') @Access('public') free() {
    return {};
  }
}

@Module({})
class RootModule {}

function define(env: NodeJS.ProcessEnv): ServiceDefinition {
  const config = parseConfig({ ...serviceConfig, ...servicePorts(0) }, env);
  const database = { url: config.DATABASE_URL, schema: 'gateway', poolSize: 4, entities: [], migrations: [] };
  return {
    name: 'limited',
    config,
    module: {
      module: RootModule,
      imports: [
        PersistenceModule.register(database),
        GuardsModule.register({
          serviceTokens: config.SERVICE_TOKENS,
          rateLimiter: {
            provide: RateLimiter,
            useFactory: (dataSource: DataSource) => new PostgresRateLimiter(dataSource),
            inject: [DataSource],
          },
        }),
      ],
      controllers: [Limited],
    },
    connect: connectDatabase,
    openApi: { service: 'limited', title: 'Limited', description: 'Limited.' },
  };
}

let service: TestService;
beforeAll(async () => (service = await TestService.start(define)));
afterAll(() => service.stop());

/** Expects a header to be `seconds` minus the time since `began`. */
function expectSeconds(said: string | undefined | null, seconds: number, began: number): void {
  expect(Number(said)).toBeLessThanOrEqual(seconds);
  expect(Number(said)).toBeGreaterThanOrEqual(Math.ceil(seconds - (performance.now() - began) / 1_000));
}

const through = (...addresses: string[]) => ({ headers: { 'X-Forwarded-For': addresses.join(', ') } });

describe('a limited route', () => {
  it('says how much is left, and with 429 when to come back', async () => {
    const client = service.client();
    const began = performance.now();
    /** Remaining requests of the limit, and seconds until it resets. */
    const leftOf = (headers: Headers) => /^"few";r=(\d);t=(\d+)$/.exec(headers.get('ratelimit') ?? '')?.slice(1) ?? [];
    for (const remaining of [2, 1, 0]) {
      const { status, headers } = await client.get('/limited');
      expect(status).toBe(200);
      expect(headers.get('ratelimit-policy')).toBe('"few";q=3;w=3600');
      const [left, seconds] = leftOf(headers);
      expect(left).toBe(String(remaining));
      expectSeconds(seconds, 3_600 - remaining * 1_200, began);
      expect(headers.get('retry-after')).toBeNull();
    }
    const { status, headers, body } = await client.get('/limited');
    expect(status).toBe(429);
    expect(body).toMatchObject({ code: 'rate_limited', request_id: headers.get('x-request-id') });
    expectSeconds(headers.get('retry-after'), 1_200, began);
    const [left, seconds] = leftOf(headers);
    expect(left).toBe('0');
    expectSeconds(seconds, 3_600, began);
  });

  it('limits one client and not the next, nor another route', async () => {
    const client = service.client();
    for (let at = 0; at < 4; at++) await client.get('/limited');
    expect((await client.get('/limited')).status).toBe(429);
    expect((await service.client().get('/limited')).status).toBe(200);
    const free = await client.get('/limited/free');
    expect(free.status).toBe(200);
    expect(free.headers.get('ratelimit')).toBeNull();
  });

  it('counts before it looks at the credential', async () => {
    const client = service.client();
    expect((await client.get('/limited/service')).status).toBe(401);
    expect((await client.get('/limited/service')).status).toBe(429);
  });

  it('applies each of its policies', async () => {
    const client = service.client();
    const began = performance.now();
    expect((await client.get('/limited/twice')).headers.get('ratelimit-policy')).toBe('"hour";q=2;w=3600');
    expect((await client.get('/limited/twice')).status).toBe(200);
    const refused = await client.get('/limited/twice');
    expect(refused.status).toBe(429);
    expectSeconds(refused.headers.get('retry-after'), 1_800, began);
  });
});

describe('the address of a client', () => {
  it('behind a trusted proxy is what the proxy saw, not what the client claims', async () => {
    const { address } = service.client();
    const claim = (at: number) => service.client().get('/limited', through(`198.51.100.${at}`, 'garbage', address));
    for (let at = 0; at < 3; at++) expect((await claim(at)).status).toBe(200);
    expect((await claim(4)).status).toBe(429);
  });

  it('is one bucket for a whole IPv6 /64', async () => {
    const from = (host: number) => service.client().get('/limited', through(`2001:db8:77:1::${host.toString(16)}`));
    for (let at = 1; at <= 3; at++) expect((await from(at)).status).toBe(200);
    expect((await from(0xffff)).status).toBe(429);
    expect((await service.client().get('/limited', through('2001:db8:77:2::1'))).status).toBe(200);
  });

  it('without a trusted proxy is that of the connection, whatever X-Forwarded-For says', async () => {
    const exposed = await TestService.start(define, { env: { TRUSTED_PROXIES: '' } });
    for (let at = 0; at < 3; at++) expect((await exposed.client().get('/limited')).status).toBe(200);
    expect((await exposed.client().get('/limited')).status).toBe(429);
    expect((await exposed.client().get('/limited', through('127.0.0.1', '203.0.113.9'))).status).toBe(429);
    await exposed.stop();
  });
});

describe('without the counters', () => {
  it('answers 503, since nobody may slip through uncounted', async () => {
    const other = await TestService.start(define);
    await other.app.get(DataSource).destroy();
    const { status, headers, body } = await other.client().get('/limited');
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(headers.get('retry-after')).toBe('1');
    await other.stop();
  });
});
