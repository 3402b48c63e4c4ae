import { Controller, Get, Injectable, Module, Post, Req, type INestApplication, type Type } from '@nestjs/common';
import { AppError, createLogger, createService, parseConfig, serviceConfig, servicePorts } from '@platform/platform';
import type { Request } from 'express';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Access, CurrentCaller, CurrentUser, MaybeUser } from './access.js';
import { AccessErrors } from './access.errors.js';
import { callerName, type Caller, type UserCaller } from './caller.js';
import { Credentials } from './credentials.js';
import { GuardsModule } from './guards.module.js';

const PANEL_TOKEN = 'panel-token-0123456789abcdef';
const DEPLOY_TOKEN = 'deploy-token-0123456789abcdef-and-longer';
const RETIRED_TOKEN = 'panel-token-of-last-year-0123';

const user = (userId: string, changes: Partial<UserCaller> = {}): UserCaller => ({
  kind: 'user',
  userId,
  tenantId: 'default',
  role: 'user',
  scopes: [],
  ...changes,
});

const USERS = new Map([
  ['ada-token', user('usr_ada')],
  ['writer-token', user('usr_writer', { scopes: ['users:write'] })],
  ['admin-token', user('usr_admin', { role: 'admin' })],
  ['everything-token', user('usr_everything', { scopes: ['*'] })],
  ['session-token', user('usr_ada', { sessionId: 'ses_1' })],
]);

const API_KEYS = new Map([
  ['ada-key', user('usr_ada', { apiKeyId: 'key_1', scopes: ['users:write'] })],
  ['admin-key', user('usr_admin', { apiKeyId: 'key_2', role: 'admin', scopes: ['users:write'] })],
  ['whole-admin-key', user('usr_admin', { apiKeyId: 'key_3', role: 'admin', scopes: ['*'] })],
]);

@Injectable()
class TokenTable extends Credentials {
  bearer(token: string): Promise<UserCaller> {
    const found = USERS.get(token);
    return found ? Promise.resolve(found) : Promise.reject(AccessErrors.invalidToken());
  }

  apiKey(key: string): Promise<UserCaller> {
    const found = API_KEYS.get(key);
    return found ? Promise.resolve(found) : Promise.reject(AccessErrors.invalidApiKey());
  }

  actingUser(platformId: string): Promise<UserCaller> {
    if (platformId === 'usr_disabled') return Promise.reject(new AppError(403, 'account_disabled', 'Disabled.'));
    const found = [...USERS.values()].find(({ userId }) => userId === platformId);
    return found ? Promise.resolve(found) : Promise.reject(new AppError(404, 'not_found', 'No such user.'));
  }
}

@Module({ providers: [TokenTable], exports: [TokenTable] })
class CredentialsModule {}

const whoCalls = ({ caller }: Request) => ({ caller: caller ? callerName(caller) : null });

@Controller('rules')
class Routes {
  @Get('public') @Access('public') open(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('bearer') @Access('bearer') bearer(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('service') @Access('service') service(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('acting') @Access('serviceActingUser') acting(@Req() asked: Request, @CurrentUser() { userId }: UserCaller) {
    return { ...whoCalls(asked), userId };
  }
  @Get('session') @Access('session') session(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('session-or-acting') @Access('sessionOrActingUser') own(@Req() asked: Request, @CurrentUser() { userId }: UserCaller) {
    return { ...whoCalls(asked), userId };
  }
  @Get('optional') @Access('optional') optional(@Req() asked: Request, @MaybeUser() user: UserCaller | null) {
    return { ...whoCalls(asked), userId: user?.userId };
  }
  @Get('bearer-or-acting') @Access('bearerOrActingUser') owned(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Post('bearer-or-acting') @Access('bearerOrActingUser') changeOwned(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('session-or-service') @Access('sessionOrService') either(@CurrentCaller() caller: Caller) {
    return { caller: callerName(caller) };
  }
  @Get('admin') @Access('adminOrService') admin(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('scope') @Access('users:write') scope(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Post('bearer') @Access('bearer') change(@Req() asked: Request) {
    return whoCalls(asked);
  }
}

/** The rule of the class holds for what says nothing of its own. */
@Controller('class')
@Access('service')
class ServiceRoutes {
  @Get('inherited') inherited(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('public') @Access('public') open(@Req() asked: Request) {
    return whoCalls(asked);
  }
}

const tokens = (...pairs: [string, string][]) => pairs.map(([name, token]) => ({ name, token }));
const LIVE = tokens(['panel', PANEL_TOKEN], ['deploy', DEPLOY_TOKEN]);

async function start(controllers: Type[], options: Partial<Parameters<typeof GuardsModule.register>[0]> = {}): Promise<INestApplication> {
  const env = { NODE_ENV: 'test', DATABASE_URL: 'postgres://unused', SERVICE_TOKENS: `unused:${PANEL_TOKEN}` };
  const guards = GuardsModule.register({ serviceTokens: LIVE, credentials: TokenTable, imports: [CredentialsModule], ...options });
  class RootModule {}
  Module({ imports: [guards], controllers })(RootModule);
  const definition = {
    name: 'rules',
    config: parseConfig({ ...serviceConfig, ...servicePorts(0) }, env),
    module: RootModule,
    openApi: { service: 'rules', title: 'Rules', description: 'Rules.' },
  };
  const app = await createService(definition, createLogger('rules', 'silent'));
  await app.listen(0, '127.0.0.1');
  return app;
}

interface Answer {
  status: number;
  challenge: string | undefined;
  body: { caller?: string | null; code?: string; userId?: string };
}

let app: INestApplication;
beforeAll(async () => (app = await start([Routes, ServiceRoutes])));
afterAll(() => app.close());

/** Headers as they go over the wire; a list sends the header that often. */
function get(path: string, headers: Record<string, string | string[]> = {}, of = app, method = 'GET', body?: string): Promise<Answer> {
  const { port } = (of.getHttpServer() as { address(): AddressInfo }).address();
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const challenge = response.headers['www-authenticate'];
        resolve({ status: response.statusCode ?? 0, challenge, body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {} });
      });
    });
    for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
    sent.on('error', reject);
    sent.end(body);
  });
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const service = (token: string) => ({ 'X-Service-Token': token });
const acting = <Id extends string | string[]>(id: Id, token = PANEL_TOKEN) => ({ ...service(token), 'X-Acting-User': id });

const NO_CREDENTIAL = { status: 401, challenge: 'Bearer realm="gateway"', body: { code: 'not_authenticated' } };
const BAD_TOKEN = { status: 401, challenge: 'Bearer realm="gateway", error="invalid_token"', body: { code: 'invalid_token' } };
const NO_SERVICE = { status: 401, challenge: 'Service realm="gateway"', body: { code: 'invalid_service_token' } };
const NO_SESSION = { status: 403, body: { code: 'session_required' } };
const BAD_KEY = { status: 401, challenge: 'Bearer realm="gateway", error="invalid_token"', body: { code: 'invalid_api_key' } };
const apiKey = (key: string) => ({ 'x-api-key': key });
const passes = (caller: string | null) => ({ status: 200, challenge: undefined, body: { caller } });

describe('who is let in', () => {
  it.each<[string, string, Record<string, string | string[]>, object]>([
    ['public', 'nobody', {}, passes(null)],
    ['public', 'a bad token', bearer('garbage'), passes(null)],
    ['bearer', 'a user', bearer('ada-token'), passes('user:usr_ada')],
    ['bearer', 'nobody', {}, NO_CREDENTIAL],
    ['bearer', 'a service', service(PANEL_TOKEN), NO_CREDENTIAL],
    ['bearer', 'an unknown token', bearer('garbage'), BAD_TOKEN],
    ['bearer', 'a service token as bearer', bearer(PANEL_TOKEN), BAD_TOKEN],
    ['service', 'a service', service(PANEL_TOKEN), passes('service:panel')],
    ['service', 'another service', service(DEPLOY_TOKEN), passes('service:deploy')],
    ['service', 'a service that sends a user along', acting('usr_ada'), passes('service:panel')],
    ['service', 'nobody', {}, NO_SERVICE],
    ['service', 'an administrator', bearer('admin-token'), NO_SERVICE],
    ['service', 'a service token as bearer', bearer(PANEL_TOKEN), NO_SERVICE],
    ['service', 'a user token as service token', service('admin-token'), NO_SERVICE],
    ['acting', 'a service for a user', acting('usr_ada'), passes('service:panel/user:usr_ada')],
    ['acting', 'a wrong service for a user', acting('usr_ada', RETIRED_TOKEN), NO_SERVICE],
    ['acting', 'a user for another', { ...bearer('admin-token'), 'X-Acting-User': 'usr_ada' }, NO_SERVICE],
    ['acting', 'nobody for a user', { 'X-Acting-User': 'usr_ada' }, NO_SERVICE],
    ['bearer', 'an API key', apiKey('ada-key'), passes('user:usr_ada/key:key_1')],
    ['bearer', 'an unknown API key', apiKey('garbage'), BAD_KEY],
    ['bearer', 'a token as API key', apiKey('ada-token'), BAD_KEY],
    ['bearer', 'a key and a token', { ...apiKey('ada-key'), ...bearer('ada-token') }, { status: 400, body: { code: 'two_credentials' } }],
    ['service', 'an API key', apiKey('whole-admin-key'), NO_SERVICE],
    ['session', 'a signed-in user', bearer('session-token'), passes('user:usr_ada')],
    ['session', 'an API key', apiKey('ada-key'), NO_SESSION],
    ['session', 'nobody', {}, NO_CREDENTIAL],
    ['session', 'a service for a user', acting('usr_ada'), NO_CREDENTIAL],
    ['session-or-acting', 'a signed-in user', bearer('session-token'), passes('user:usr_ada')],
    ['session-or-acting', 'an API key', apiKey('ada-key'), NO_SESSION],
    ['session-or-acting', 'a service for a user', acting('usr_ada'), passes('service:panel/user:usr_ada')],
    ['session-or-acting', 'a service for nobody', service(PANEL_TOKEN), { status: 400, body: { code: 'malformed_header' } }],
    ['session-or-acting', 'a user for another', { ...bearer('session-token'), 'X-Acting-User': 'usr_admin' }, NO_SERVICE],
    ['session-or-acting', 'a wrong service for a user', acting('usr_ada', RETIRED_TOKEN), NO_SERVICE],
    ['optional', 'nobody', {}, passes(null)],
    ['optional', 'a user', bearer('ada-token'), passes('user:usr_ada')],
    ['optional', 'an API key', apiKey('ada-key'), passes('user:usr_ada/key:key_1')],
    ['optional', 'a bad token', bearer('garbage'), BAD_TOKEN],
    ['optional', 'an empty token', { Authorization: '' }, BAD_TOKEN],
    ['optional', 'a bad key', apiKey('garbage'), BAD_KEY],
    ['optional', 'a service', service(PANEL_TOKEN), passes('service:panel')],
    ['optional', 'a service for a user', acting('usr_ada'), passes('service:panel/user:usr_ada')],
    ['optional', 'a user for another', { ...bearer('admin-token'), 'X-Acting-User': 'usr_ada' }, NO_SERVICE],
    ['bearer-or-acting', 'a user', bearer('ada-token'), passes('user:usr_ada')],
    ['bearer-or-acting', 'an API key', apiKey('ada-key'), passes('user:usr_ada/key:key_1')],
    ['bearer-or-acting', 'a service for a user', acting('usr_ada'), passes('service:panel/user:usr_ada')],
    ['bearer-or-acting', 'a service for nobody', service(PANEL_TOKEN), { status: 400, body: { code: 'malformed_header' } }],
    ['bearer-or-acting', 'a user for another', { ...bearer('ada-token'), 'X-Acting-User': 'usr_admin' }, NO_SERVICE],
    ['bearer-or-acting', 'nobody', {}, NO_CREDENTIAL],
    ['session-or-service', 'a signed-in user', bearer('session-token'), passes('user:usr_ada')],
    ['session-or-service', 'an API key', apiKey('ada-key'), NO_SESSION],
    ['session-or-service', 'a service', service(PANEL_TOKEN), passes('service:panel')],
    ['session-or-service', 'a service for a user', acting('usr_ada'), passes('service:panel/user:usr_ada')],
    ['session-or-service', 'a user for another', { ...bearer('session-token'), 'X-Acting-User': 'usr_admin' }, NO_SERVICE],
    ['session-or-service', 'a wrong service', service('wrong'), NO_SERVICE],
    ['admin', "an administrator's key for one purpose", apiKey('admin-key'), { status: 403, body: { code: 'insufficient_scope' } }],
    ['admin', "an administrator's key for everything", apiKey('whole-admin-key'), passes('user:usr_admin/key:key_3')],
    ['scope', 'an API key that has it', apiKey('ada-key'), passes('user:usr_ada/key:key_1')],
    ['admin', 'an administrator', bearer('admin-token'), passes('user:usr_admin')],
    ['admin', 'a service', service(PANEL_TOKEN), passes('service:panel')],
    ['admin', 'a service, not the user beside it', { ...service(PANEL_TOKEN), ...bearer('ada-token') }, passes('service:panel')],
    ['admin', 'a service for a user', acting('usr_ada'), passes('service:panel/user:usr_ada')],
    ['admin', 'an administrator for another', { ...bearer('admin-token'), 'X-Acting-User': 'usr_ada' }, NO_SERVICE],
    ['admin', 'a wrong service, though with an administrator', { ...service('wrong'), ...bearer('admin-token') }, NO_SERVICE],
    ['admin', 'nobody', {}, NO_CREDENTIAL],
    ['admin', 'a user', bearer('ada-token'), { status: 403, body: { code: 'insufficient_scope' } }],
    ['admin', 'a user who holds every scope', bearer('everything-token'), { status: 403, body: { code: 'insufficient_scope' } }],
    ['scope', 'a user who holds it', bearer('writer-token'), passes('user:usr_writer')],
    ['scope', 'a user who holds every scope', bearer('everything-token'), passes('user:usr_everything')],
    ['scope', 'nobody', {}, NO_CREDENTIAL],
    ['scope', 'a service', service(PANEL_TOKEN), passes('service:panel')],
    ['scope', 'a service for a user', acting('usr_ada'), passes('service:panel/user:usr_ada')],
    ['scope', 'a wrong service, though with a user who holds it', { ...service('wrong'), ...bearer('writer-token') }, NO_SERVICE],
    [
      'scope',
      'a user who lacks it',
      bearer('ada-token'),
      {
        status: 403,
        challenge: 'Bearer realm="gateway", error="insufficient_scope", scope="users:write"',
        body: { code: 'insufficient_scope' },
      },
    ],
  ])('%s: %s', async (rule, _who, headers, expected) => {
    expect(await get(`/rules/${rule}`, headers)).toMatchObject(expected);
  });

  it('takes the rule of the class where the route has none', async () => {
    expect(await get('/class/inherited')).toMatchObject(NO_SERVICE);
    expect((await get('/class/inherited', service(PANEL_TOKEN))).status).toBe(200);
    expect((await get('/class/public')).status).toBe(200);
  });

  it('hands the user to the route', async () => {
    expect((await get('/rules/session-or-acting', bearer('session-token'))).body.userId).toBe('usr_ada');
    expect((await get('/rules/acting', acting('usr_ada'))).body.userId).toBe('usr_ada');
    expect((await get('/rules/optional', acting('usr_ada'))).body.userId).toBe('usr_ada');
    expect((await get('/rules/optional', service(PANEL_TOKEN))).body.userId).toBeUndefined();
  });

  describe('takes `user_id` for', () => {
    const OTHER_USER = { status: 403, body: { code: 'other_user' } };
    const asked = (headers: Record<string, string>, query: string, body?: object) => {
      const json = { ...headers, 'Content-Type': 'application/json' };
      const path = `/rules/bearer-or-acting${query}`;
      return body ? get(path, json, app, 'POST', JSON.stringify(body)) : get(path, headers);
    };

    it('the user that a trusted backend acts for, where no header names one', async () => {
      const passed = { body: { caller: 'service:panel/user:usr_ada' } };
      expect(await asked(service(PANEL_TOKEN), '?user_id=usr_ada')).toMatchObject(passed);
      expect(await asked(service(PANEL_TOKEN), '', { user_id: 'usr_ada' })).toMatchObject(passed);
      expect(await asked(acting('usr_ada'), '?user_id=usr_ada')).toMatchObject(passed);
      expect(await asked(service(PANEL_TOKEN), '', { user_id: ['usr_ada'] })).toMatchObject({ status: 400 });
      expect(await asked(service(PANEL_TOKEN), '?user_id=usr_unknown')).toMatchObject({ status: 404 });
      expect(await asked(service('wrong'), '?user_id=usr_ada')).toMatchObject(NO_SERVICE);
    });

    it('nobody but the user who calls', async () => {
      expect(await asked(bearer('ada-token'), '?user_id=usr_ada')).toMatchObject(passes('user:usr_ada'));
      expect(await asked(bearer('ada-token'), '?user_id=usr_admin')).toMatchObject(OTHER_USER);
      expect(await asked(apiKey('ada-key'), '', { user_id: 'usr_admin' })).toMatchObject(OTHER_USER);
      expect(await asked(acting('usr_ada'), '', { user_id: 'usr_admin' })).toMatchObject(OTHER_USER);
      expect(await get('/rules/bearer?user_id=usr_admin', bearer('ada-token'))).toMatchObject(passes('user:usr_ada'));
    });
  });

  it('guards HEAD as it guards GET', async () => {
    expect((await get('/rules/service', {}, app, 'HEAD')).status).toBe(401);
  });
});

describe('a route without @Access', () => {
  @Controller('open')
  class Forgotten {
    @Get() @Access('public') fine() {
      return {};
    }
    @Get('door') door() {
      return {};
    }
    helper() {
      return {};
    }
  }

  @Controller('heir')
  class Heir extends Forgotten {}

  it('refuses to boot, and is named', async () => {
    await expect(start([Routes, Forgotten])).rejects.toThrow('Routes without @Access: Forgotten.door');
    await expect(start([Heir])).rejects.toThrow('Routes without @Access: Heir.door');
  });
});

describe('the service token', () => {
  it.each([
    ['empty', ''],
    ['shorter', PANEL_TOKEN.slice(0, -1)],
    ['longer', `${PANEL_TOKEN}0`],
    ['in another case', PANEL_TOKEN.toUpperCase()],
    ['with its name', `panel:${PANEL_TOKEN}`],
    ['two of them', `${PANEL_TOKEN},${DEPLOY_TOKEN}`],
    ['a retired one', RETIRED_TOKEN],
    ['4 kB', 'x'.repeat(4_096)],
  ])('is refused when it is wrong: %s', async (_what, token) => {
    expect(await get('/rules/service', service(token))).toMatchObject(NO_SERVICE);
  });

  it('is refused when it is sent twice, even twice the same', async () => {
    for (const sent of [
      [PANEL_TOKEN, PANEL_TOKEN],
      ['wrong', PANEL_TOKEN],
    ]) {
      expect(await get('/rules/service', { 'X-Service-Token': sent })).toMatchObject({ status: 400, body: { code: 'malformed_header' } });
    }
  });

  it('counts nowhere but in its header', async () => {
    expect(await get(`/rules/service?x-service-token=${PANEL_TOKEN}&service_token=${PANEL_TOKEN}`)).toMatchObject(NO_SERVICE);
    expect(await get('/rules/service', { Cookie: `X-Service-Token=${PANEL_TOKEN}` })).toMatchObject(NO_SERVICE);
  });

  it('works beside its successor until it is retired', async () => {
    const both = await start([Routes], { serviceTokens: tokens(['panel-2', PANEL_TOKEN], ['panel-1', RETIRED_TOKEN]) });
    expect(await get('/rules/service', service(PANEL_TOKEN), both)).toMatchObject(passes('service:panel-2'));
    expect(await get('/rules/service', service(RETIRED_TOKEN), both)).toMatchObject(passes('service:panel-1'));
    await both.close();
    expect(await get('/rules/service', service(RETIRED_TOKEN))).toMatchObject(NO_SERVICE);
  });

  it('lets nobody in where there are none', async () => {
    const none = await start([Routes], { serviceTokens: [] });
    expect(await get('/rules/service', service(''), none)).toMatchObject(NO_SERVICE);
    expect(await get('/rules/service', {}, none)).toMatchObject(NO_SERVICE);
    await none.close();
  });
});

describe('the acting user', () => {
  it.each<[string, string | string[]]>([
    ['empty', ''],
    ['sent twice', ['usr_ada', 'usr_admin']],
    ['sent twice, the same', ['usr_ada', 'usr_ada']],
    ['two values', 'usr_ada, usr_admin'],
    ['4 kB', 'x'.repeat(4_096)],
    ['just too long', 'x'.repeat(65)],
    ['with a space', 'usr ada'],
    ['with an encoded line break', 'usr_ada%0d%0aX-Role: admin'],
    ['a path', '../usr_ada'],
    ['SQL', "usr_ada' OR '1'='1"],
    ['not ASCII', 'usr_ad\u00e4'],
  ])('is refused when it is malformed: %s', async (_what, id) => {
    expect(await get('/rules/acting', acting(id))).toMatchObject({ status: 400, body: { code: 'malformed_header' } });
  });

  it('is refused when it is missing', async () => {
    expect(await get('/rules/acting', service(PANEL_TOKEN))).toMatchObject({ status: 400, body: { code: 'malformed_header' } });
  });

  it('is refused when nobody may act for them', async () => {
    expect(await get('/rules/acting', acting('usr_disabled'))).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
    expect(await get('/rules/acting', acting('usr_unknown'))).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await get('/rules/acting', acting('__proto__'))).toMatchObject({ status: 404 });
  });

  it('changes nothing on a route for signed-in users', async () => {
    expect(await get('/rules/bearer', { ...bearer('ada-token'), 'X-Acting-User': 'usr_admin' })).toMatchObject(passes('user:usr_ada'));
    expect(await get('/rules/bearer', acting('usr_admin'))).toMatchObject(NO_CREDENTIAL);
  });
});

describe('the Authorization header', () => {
  it.each(['bearer ada-token', 'BEARER ada-token', 'Bearer   ada-token'])('may be written as %j', async (Authorization) => {
    expect(await get('/rules/bearer', { Authorization })).toMatchObject(passes('user:usr_ada'));
  });

  it.each([
    ['no token', 'Bearer'],
    ['no scheme', 'ada-token'],
    ['another scheme', 'Basic YWRhOmFkYQ=='],
    ['a tab', 'Bearer\tada-token'],
    ['two tokens', 'Bearer ada-token admin-token'],
    ['two credentials, joined by a comma', 'Bearer ada-token, Bearer admin-token'],
    ['two schemes', 'Bearer Bearer ada-token'],
    ['quotes', 'Bearer "ada-token"'],
    ['a scheme that only begins like it', 'Bearerada-token'],
    ['an encoded space', 'Bearer ada-token%20'],
    ['8 kB', `Bearer ${'x'.repeat(8_000)}`],
  ])('is refused with %s', async (_what, Authorization) => {
    expect(await get('/rules/bearer', { Authorization })).toMatchObject(BAD_TOKEN);
  });

  it('is refused when it is empty', async () => {
    expect((await get('/rules/bearer', { Authorization: '' })).status).toBe(401);
  });

  it('is refused when it is sent twice, whichever comes first', async () => {
    for (const sent of [
      ['Bearer ada-token', 'Bearer admin-token'],
      ['Bearer ada-token', 'Bearer ada-token'],
      ['', 'Bearer ada-token'],
    ]) {
      expect(await get('/rules/bearer', { Authorization: sent })).toMatchObject({ status: 400, body: { code: 'malformed_header' } });
    }
  });

  it('is refused when it is longer than any credential', async () => {
    expect((await get('/rules/bearer', bearer('x'.repeat(9_000)))).status).toBe(400);
    expect((await get('/rules/bearer', bearer('x'.repeat(64 * 1024)))).status).toBe(431);
  });

  it('counts nowhere else: not in the query, not in a cookie, not in a body', async () => {
    expect(await get('/rules/bearer?access_token=ada-token&authorization=Bearer%20ada-token')).toMatchObject(NO_CREDENTIAL);
    expect(await get('/rules/bearer', { Cookie: 'access_token=ada-token' })).toMatchObject(NO_CREDENTIAL);
    const body = JSON.stringify({ access_token: 'ada-token' });
    expect(await get('/rules/bearer', { 'Content-Type': 'application/json' }, app, 'POST', body)).toMatchObject(NO_CREDENTIAL);
  });
});

describe('a service without credentials of its own', () => {
  it('knows trusted backends only', async () => {
    const app = await start([Routes], { credentials: undefined });
    expect(await get('/rules/service', service(PANEL_TOKEN), app)).toMatchObject(passes('service:panel'));
    expect((await get('/rules/bearer', bearer('ada-token'), app)).status).toBe(401);
    expect((await get('/rules/admin', bearer('admin-token'), app)).status).toBe(401);
    expect((await get('/rules/acting', acting('usr_ada'), app)).status).toBe(401);
    await app.close();
  });
});
