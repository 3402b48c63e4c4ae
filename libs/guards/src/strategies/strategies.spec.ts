import { Controller, Get, Inject, Injectable, Module, Req, type INestApplication } from '@nestjs/common';
import {
  AppError,
  createLogger,
  createService,
  Errors,
  parseConfig,
  serviceConfig,
  servicePorts,
} from '@platform/platform';
import type { Request } from 'express';
import passport from 'passport';
import { Access } from '../access.js';
import { AccessErrors } from '../access.errors.js';
import { callerName, type UserCaller } from '../caller.js';
import { Credentials } from '../credentials.js';
import { GuardsModule } from '../guards.module.js';

const user = (userId: string, changes: Partial<UserCaller> = {}): UserCaller => ({
  kind: 'user',
  userId,
  tenantId: 'default',
  role: 'user',
  scopes: [],
  ...changes,
});

const OWNER = Symbol('OWNER');

/** Accepts the token, key and user that begin with the name of its application. */
@Injectable()
class OwnCredentials extends Credentials {
  constructor(@Inject(OWNER) private readonly owner: string) {
    super();
  }

  authenticateBearer(token: string): Promise<UserCaller> {
    if (token === 'outage') return Promise.reject(new Error('the database is away'));
    if (token === 'busy') return Promise.reject(Errors.unavailable(new Error('the database is busy')));
    if (token === 'undecided') return Promise.resolve(null as unknown as UserCaller);
    if (token.startsWith('slow-')) return held(token);
    return token === `${this.owner}-token`
      ? Promise.resolve(user(`usr_${this.owner}`))
      : Promise.reject(AccessErrors.invalidToken());
  }

  authenticateApiKey(key: string): Promise<UserCaller> {
    const found = user(`usr_${this.owner}`, { apiKeyId: 'key_1', keyScopes: ['profile:read'] });
    return key === `${this.owner}-key` ? Promise.resolve(found) : Promise.reject(AccessErrors.invalidApiKey());
  }

  authenticateActingUser(userId: string): Promise<UserCaller> {
    return userId === `usr_${this.owner}`
      ? Promise.resolve(user(userId))
      : Promise.reject(new AppError(404, 'not_found', 'No such user.'));
  }
}

/** Requests that wait in their credential check until the test lets them go on, by token. */
const waiting = new Map<string, () => void>();
const held = (token: string): Promise<UserCaller> =>
  new Promise((resolve) => waiting.set(token, () => resolve(user(`usr_${token.slice('slow-'.length)}`))));

@Controller()
class Routes {
  @Get('bearer') @Access('bearer', { keyScope: 'profile:read' }) bearer(@Req() request: Request) {
    const { caller, user, session } = request as Request & { session?: unknown };
    return { caller: caller && callerName(caller), user: user ?? null, session: session ?? null };
  }
  @Get('service') @Access('service', { permission: 'users' }) service(@Req() { caller }: Request) {
    return { caller: caller && callerName(caller) };
  }
  @Get('acting') @Access('serviceActingUser', { permission: 'users' }) acting(@Req() { caller }: Request) {
    return { caller: caller && callerName(caller) };
  }
}

const serviceToken = (owner: string): string => `${owner}-service-token-0123456789abcdef`;

async function start(owner: string): Promise<INestApplication> {
  class OwnModule {}
  Module({ providers: [{ provide: OWNER, useValue: owner }, OwnCredentials], exports: [OwnCredentials] })(OwnModule);
  class RootModule {}
  const guards = GuardsModule.register({
    serviceTokens: [{ name: owner, token: serviceToken(owner) }],
    servicePermissions: { [owner]: ['users'] },
    credentials: OwnCredentials,
    imports: [OwnModule],
  });
  Module({ imports: [guards], controllers: [Routes] })(RootModule);
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://unused',
    SERVICE_TOKENS: `unused:${serviceToken('unused')}`,
  };
  const definition = {
    name: owner,
    config: parseConfig({ ...serviceConfig, ...servicePorts(0) }, env),
    module: RootModule,
    openApi: { service: owner, title: owner, description: owner },
  };
  const app = await createService(definition, createLogger(owner, 'silent'));
  await app.listen(0, '127.0.0.1');
  return app;
}

async function ask(app: INestApplication, path: string, headers: Record<string, string>) {
  const response = await fetch(`${await app.getUrl()}/${path}`, { headers });
  const body = (await response.json()) as { caller?: string; code?: string; user?: unknown; session?: unknown };
  return { status: response.status, headers: response.headers, body };
}
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

let ada: INestApplication;
let bob: INestApplication;
beforeAll(async () => {
  ada = await start('ada');
  bob = await start('bob');
});
afterAll(() => Promise.all([ada.close(), bob.close()]));

describe('applications in one process', () => {
  const admits = async (app: INestApplication, owner: string) => {
    const codes = [
      await ask(app, 'bearer', bearer(`${owner}-token`)),
      await ask(app, 'bearer', { 'x-api-key': `${owner}-key` }),
      await ask(app, 'service', { 'X-Service-Token': serviceToken(owner) }),
      await ask(app, 'acting', { 'X-Service-Token': serviceToken(owner), 'X-Acting-User': `usr_${owner}` }),
    ];
    return codes.map(({ body }) => body.caller ?? body.code);
  };
  const OWN = (owner: string) => [
    `user:usr_${owner}`,
    `user:usr_${owner}/key:key_1`,
    `service:${owner}`,
    `service:${owner}/user:usr_${owner}`,
  ];
  const REFUSED = ['invalid_token', 'invalid_api_key', 'invalid_service_token', 'invalid_service_token'];

  it('admit by their own credentials alone', async () => {
    expect([await admits(ada, 'ada'), await admits(bob, 'bob')]).toEqual([OWN('ada'), OWN('bob')]);
    expect([await admits(ada, 'bob'), await admits(bob, 'ada')]).toEqual([REFUSED, REFUSED]);
  });

  it('keep to them when another starts and ends', async () => {
    const carl = await start('carl');
    expect(await admits(carl, 'carl')).toEqual(OWN('carl'));
    await carl.close();
    expect([await admits(ada, 'ada'), await admits(ada, 'carl')]).toEqual([OWN('ada'), REFUSED]);
  });

  it.each(['bearer', 'api-key', 'service-token'])(
    "add no strategy %s to Passport's own instance, which all share",
    (name) => {
      const run = passport.authenticate(name, () => undefined) as (
        request: object,
        response: object,
        next: (error: unknown) => void,
      ) => void;
      const next = jest.fn();
      run({}, {}, next);
      expect(next).toHaveBeenCalledWith(new Error(`Unknown authentication strategy "${name}"`));
    },
  );
});

describe('a strategy', () => {
  it('keeps requests apart that are checked at the same time, whichever is decided first', async () => {
    const names = ['first', 'second', 'third', 'fourth'];
    const asked = names.map((name) => ask(ada, 'bearer', bearer(`slow-${name}`)));
    while (waiting.size < names.length) await new Promise(setImmediate);
    for (const name of names.toReversed()) waiting.get(`slow-${name}`)?.();
    expect((await Promise.all(asked)).map(({ body }) => body.caller)).toEqual(names.map((name) => `user:usr_${name}`));
  });

  it('signs nobody in: no session, no cookie, no `request.user`', async () => {
    const { headers, body } = await ask(ada, 'bearer', bearer('ada-token'));
    expect(body).toEqual({ caller: 'user:usr_ada', user: null, session: null });
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('makes no refusal of a failure: an outage is not 401', async () => {
    const outage = await ask(ada, 'bearer', bearer('outage'));
    expect([outage.status, outage.headers.get('www-authenticate')]).toEqual([500, null]);
    const busy = await ask(ada, 'bearer', bearer('busy'));
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('admits nobody without saying who it is', async () => {
    expect((await ask(ada, 'bearer', bearer('undecided'))).status).toBe(500);
  });
});
