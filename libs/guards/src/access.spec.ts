import { Controller, Get, Injectable, Module, Post, Req, type INestApplication, type Type } from '@nestjs/common';
import { AppError, createLogger, createService, parseConfig, serviceConfig, servicePorts } from '@platform/platform';
import { until } from '@platform/testing';
import type { Request } from 'express';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Access, CurrentCaller, CurrentUser, MaybeUser, MovesMoney } from './access.js';
import { AccessErrors } from './access.errors.js';
import { callerName, type Caller, type UserCaller } from './caller.js';
import { Credentials } from './credentials.js';
import { GuardsModule } from './guards.module.js';

const BILLING_TOKEN = 'billing-token-0123456789abcdef';
const DEPLOY_TOKEN = 'deploy-token-0123456789abcdef-and-longer';
const IDLE_TOKEN = 'idle-token-0123456789abcdefg';
const RETIRED_TOKEN = 'billing-token-of-last-year-0123';

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
  [
    'ada-key',
    user('usr_ada', { apiKeyId: 'key_1', keyScopes: ['users:write', 'profile:read'], scopes: ['users:write'] }),
  ],
  [
    'admin-key',
    user('usr_admin', { apiKeyId: 'key_2', role: 'admin', keyScopes: ['users:write'], scopes: ['users:write'] }),
  ],
  ['whole-admin-key', user('usr_admin', { apiKeyId: 'key_3', role: 'admin', keyScopes: ['*'], scopes: ['*'] })],
  ['idle-key', user('usr_ada', { apiKeyId: 'key_4', keyScopes: [] })],
  ['profile-key', user('usr_ada', { apiKeyId: 'key_5', keyScopes: ['profile:*'] })],
  // The scopes of the owner do not extend the scopes of the key.
  ['forgetful-key', user('usr_ada', { apiKeyId: 'key_6', scopes: ['*'] })],
  ['poor-owner-key', user('usr_ada', { apiKeyId: 'key_8', keyScopes: ['users:write'] })],
  ['notes-key', user('usr_ada', { apiKeyId: 'key_7', keyScopes: ['notes:call'] })],
]);

@Injectable()
class TokenTable extends Credentials {
  authenticateBearer(token: string): Promise<UserCaller> {
    const found = USERS.get(token);
    return found ? Promise.resolve(found) : Promise.reject(AccessErrors.invalidToken());
  }

  authenticateApiKey(key: string): Promise<UserCaller> {
    const found = API_KEYS.get(key);
    return found ? Promise.resolve(found) : Promise.reject(AccessErrors.invalidApiKey());
  }

  authenticateActingUser(platformId: string): Promise<UserCaller> {
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
  @Get('bearer') @Access('bearer', { keyScope: 'profile:read' }) bearer(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('service') @Access('service', { permission: 'users' }) service(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('acting') @Access('serviceActingUser', { permission: 'users' }) acting(
    @Req() asked: Request,
    @CurrentUser() { userId }: UserCaller,
  ) {
    return { ...whoCalls(asked), userId };
  }
  @Get('session') @Access('session') session(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('session-or-acting') @Access('sessionOrActingUser', { permission: 'users' }) own(
    @Req() asked: Request,
    @CurrentUser() { userId }: UserCaller,
  ) {
    return { ...whoCalls(asked), userId };
  }
  @Get('optional') @Access('optional', { keyScope: 'profile:read', permission: 'users' }) optional(
    @Req() asked: Request,
    @MaybeUser() user: UserCaller | null,
  ) {
    return { ...whoCalls(asked), userId: user?.userId };
  }
  @Get('bearer-or-acting') @Access('bearerOrActingUser', { keyScope: 'profile:read', permission: 'users' }) owned(
    @Req() asked: Request,
  ) {
    return whoCalls(asked);
  }
  @Post('bearer-or-acting')
  @Access('bearerOrActingUser', { keyScope: 'profile:read', permission: 'users' })
  changeOwned(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('session-or-service') @Access('sessionOrService', { permission: 'users' }) either(
    @CurrentCaller() caller: Caller,
  ) {
    return { caller: callerName(caller) };
  }
  @Get('admin') @Access('adminOrService', { permission: 'users' }) admin(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('scope') @Access('users:write', { permission: 'users' }) scope(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('apps/:app_id') @Access('bearer', { keyScope: ['extensions:call', '{app_id}:call'] }) app(
    @Req() asked: Request,
  ) {
    return whoCalls(asked);
  }
  @Post('bearer') @Access('bearer', { keyScope: 'profile:read' }) change(@Req() asked: Request) {
    return whoCalls(asked);
  }
}

/** Routes without an own rule inherit the rule of the class. */
@Controller('class')
@Access('service', { permission: 'users' })
class ServiceRoutes {
  @Get('inherited') inherited(@Req() asked: Request) {
    return whoCalls(asked);
  }
  @Get('public') @Access('public') open(@Req() asked: Request) {
    return whoCalls(asked);
  }
}

const tokens = (...pairs: [string, string][]) => pairs.map(([name, token]) => ({ name, token }));
const LIVE = tokens(['billing', BILLING_TOKEN], ['deploy', DEPLOY_TOKEN], ['idle', IDLE_TOKEN]);
const GRANTS = { billing: ['users'], deploy: ['*'] } as const;

async function start(
  controllers: Type[],
  options: Partial<Parameters<typeof GuardsModule.register>[0]> = {},
  logger = createLogger('rules', 'silent'),
): Promise<INestApplication> {
  const env = { NODE_ENV: 'test', DATABASE_URL: 'postgres://unused', SERVICE_TOKENS: `unused:${BILLING_TOKEN}` };
  const guards = GuardsModule.register({
    serviceTokens: LIVE,
    servicePermissions: GRANTS,
    credentials: TokenTable,
    imports: [CredentialsModule],
    ...options,
  });
  class RootModule {}
  Module({ imports: [guards], controllers })(RootModule);
  const definition = {
    name: 'rules',
    config: parseConfig({ ...serviceConfig, ...servicePorts(0) }, env),
    module: RootModule,
    openApi: { service: 'rules', title: 'Rules', description: 'Rules.' },
  };
  const app = await createService(definition, logger);
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

/** Sends these exact headers. A list sends the header several times. */
function get(
  path: string,
  headers: Record<string, string | string[]> = {},
  of = app,
  method = 'GET',
  body?: string,
): Promise<Answer> {
  const { port } = (of.getHttpServer() as { address(): AddressInfo }).address();
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const challenge = response.headers['www-authenticate'];
        resolve({
          status: response.statusCode ?? 0,
          challenge,
          body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {},
        });
      });
    });
    for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
    sent.on('error', reject);
    sent.end(body);
  });
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const service = (token: string) => ({ 'X-Service-Token': token });
const acting = <Id extends string | string[]>(id: Id, token = BILLING_TOKEN) => ({
  ...service(token),
  'X-Acting-User': id,
});

const NO_CREDENTIAL = { status: 401, challenge: 'Bearer realm="gateway"', body: { code: 'not_authenticated' } };
const BAD_TOKEN = {
  status: 401,
  challenge: 'Bearer realm="gateway", error="invalid_token"',
  body: { code: 'invalid_token' },
};
const NO_SERVICE = { status: 401, challenge: 'Service realm="gateway"', body: { code: 'invalid_service_token' } };
const OTHER_USER = { status: 403, body: { code: 'other_user' } };
const NO_USER = {
  status: 422,
  body: { detail: [{ loc: ['header', 'x-acting-user'], msg: 'Field required', type: 'missing' }] },
};
const OF_SESSION = (id: string) => ({ ...bearer('session-token'), 'X-Acting-User': 'usr_ada', 'X-Acting-Session': id });
const NO_SESSION = { status: 403, body: { code: 'session_required' } };
const BAD_KEY = {
  status: 401,
  challenge: 'Bearer realm="gateway", error="invalid_token"',
  body: { code: 'invalid_api_key' },
};
const NOT_ALLOWED = { status: 403, body: { code: 'service_not_allowed' } };
const NO_SCOPE = {
  status: 403,
  challenge: 'Bearer realm="gateway", error="insufficient_scope", scope="profile:read"',
  body: { code: 'insufficient_scope' },
};
const apiKey = (key: string) => ({ 'x-api-key': key });
const passes = (caller: string | null) => ({ status: 200, challenge: undefined, body: { caller } });

describe('who is let in', () => {
  it.each<[string, string, Record<string, string | string[]>, object]>([
    ['public', 'nobody', {}, passes(null)],
    ['public', 'a bad token', bearer('garbage'), passes(null)],
    ['bearer', 'a user', bearer('ada-token'), passes('user:usr_ada')],
    ['bearer', 'nobody', {}, NO_CREDENTIAL],
    ['bearer', 'a service', service(BILLING_TOKEN), NO_CREDENTIAL],
    ['bearer', 'an unknown token', bearer('garbage'), BAD_TOKEN],
    ['bearer', 'a service token as bearer', bearer(BILLING_TOKEN), BAD_TOKEN],
    ['service', 'a service', service(BILLING_TOKEN), passes('service:billing')],
    ['service', 'another service', service(DEPLOY_TOKEN), passes('service:deploy')],
    [
      'service',
      'a service that sends a user along',
      acting('usr_ada'),
      { status: 403, body: { code: 'acting_user_not_allowed' } },
    ],
    [
      'service',
      'a service that lacks the permission and sends a user along',
      acting('usr_ada', IDLE_TOKEN),
      NOT_ALLOWED,
    ],
    ['service', 'a service that lacks the permission', service(IDLE_TOKEN), NOT_ALLOWED],
    ['acting', 'a service that lacks the permission, for a user', acting('usr_ada', IDLE_TOKEN), NOT_ALLOWED],
    [
      'acting',
      'a service that lacks the permission, for nobody there is',
      acting('usr_unknown', IDLE_TOKEN),
      NOT_ALLOWED,
    ],
    ['session-or-acting', 'a service that lacks the permission', acting('usr_ada', IDLE_TOKEN), NOT_ALLOWED],
    ['optional', 'a service that lacks the permission', service(IDLE_TOKEN), NOT_ALLOWED],
    ['bearer-or-acting', 'a service that lacks the permission', acting('usr_ada', IDLE_TOKEN), NOT_ALLOWED],
    ['session-or-service', 'a service that lacks the permission', service(IDLE_TOKEN), NOT_ALLOWED],
    ['admin', 'a service that lacks the permission', service(IDLE_TOKEN), NOT_ALLOWED],
    [
      'admin',
      'a service that lacks the permission, for an administrator',
      acting('usr_admin', IDLE_TOKEN),
      NOT_ALLOWED,
    ],
    ['scope', 'a service that lacks the permission', service(IDLE_TOKEN), NOT_ALLOWED],
    ['bearer', 'an API key without scopes', apiKey('idle-key'), NO_SCOPE],
    ['bearer', 'an API key without scopes as bearer', bearer('idle-key'), BAD_TOKEN],
    ['bearer', 'an API key of which nobody says what it was given', apiKey('forgetful-key'), NO_SCOPE],
    ['bearer', "an administrator's key for something else", apiKey('admin-key'), NO_SCOPE],
    ['bearer', 'an API key for the whole resource', apiKey('profile-key'), passes('user:usr_ada/key:key_5')],
    ['bearer', "an administrator's key for everything", apiKey('whole-admin-key'), passes('user:usr_admin/key:key_3')],
    ['optional', 'an API key without scopes', apiKey('idle-key'), NO_SCOPE],
    ['bearer-or-acting', 'an API key without scopes', apiKey('idle-key'), NO_SCOPE],
    ['scope', 'an API key without scopes', apiKey('idle-key'), { status: 403, body: { code: 'insufficient_scope' } }],
    ['apps/notes', 'an API key for the app', apiKey('notes-key'), passes('user:usr_ada/key:key_7')],
    [
      'apps/other',
      'an API key for another app',
      apiKey('notes-key'),
      { status: 403, body: { code: 'insufficient_scope' } },
    ],
    ['apps/notes:call', 'an API key for an app of a name that begins alike', apiKey('notes-key'), { status: 403 }],
    [
      'apps/%7Bapp_id%7D',
      'an API key for another app, by the name of the parameter',
      apiKey('notes-key'),
      { status: 403 },
    ],
    ['apps/other', 'a signed-in user', bearer('ada-token'), passes('user:usr_ada')],
    ['service', 'nobody', {}, NO_SERVICE],
    ['service', 'an administrator', bearer('admin-token'), NO_SERVICE],
    ['service', 'a service token as bearer', bearer(BILLING_TOKEN), NO_SERVICE],
    ['service', 'a user token as service token', service('admin-token'), NO_SERVICE],
    ['acting', 'a service for a user', acting('usr_ada'), passes('service:billing/user:usr_ada')],
    ['acting', 'a wrong service for a user', acting('usr_ada', RETIRED_TOKEN), NO_SERVICE],
    ['acting', 'a user for another', { ...bearer('admin-token'), 'X-Acting-User': 'usr_ada' }, NO_SERVICE],
    ['acting', 'nobody for a user', { 'X-Acting-User': 'usr_ada' }, NO_SERVICE],
    ['bearer', 'an API key', apiKey('ada-key'), passes('user:usr_ada/key:key_1')],
    ['bearer', 'an unknown API key', apiKey('garbage'), BAD_KEY],
    ['bearer', 'a token as API key', apiKey('ada-token'), BAD_KEY],
    [
      'bearer',
      'a key and a token',
      { ...apiKey('ada-key'), ...bearer('ada-token') },
      { status: 400, body: { code: 'two_credentials' } },
    ],
    ['service', 'an API key', apiKey('whole-admin-key'), NO_SERVICE],
    ['session', 'a signed-in user', bearer('session-token'), passes('user:usr_ada')],
    ['session', 'an API key', apiKey('ada-key'), NO_SESSION],
    ['session', 'nobody', {}, NO_CREDENTIAL],
    ['session', 'a service for a user', acting('usr_ada'), NO_CREDENTIAL],
    ['session-or-acting', 'a signed-in user', bearer('session-token'), passes('user:usr_ada')],
    ['session-or-acting', 'an API key', apiKey('ada-key'), NO_SESSION],
    ['session-or-acting', 'a service for a user', acting('usr_ada'), passes('service:billing/user:usr_ada')],
    ['session-or-acting', 'a service for nobody', service(BILLING_TOKEN), NO_USER],
    [
      'session-or-acting?user_id=usr_ada',
      'a service that names a user',
      service(BILLING_TOKEN),
      passes('service:billing/user:usr_ada'),
    ],
    [
      'session-or-acting?user_id=usr_ada',
      'a service for that user',
      acting('usr_ada'),
      passes('service:billing/user:usr_ada'),
    ],
    ['session-or-acting?user_id=usr_admin', 'a service for another user', acting('usr_ada'), OTHER_USER],
    ['session-or-acting?user_id=usr_ada', 'that user', bearer('session-token'), passes('user:usr_ada')],
    ['session-or-acting?user_id=usr_admin', 'another user', bearer('session-token'), OTHER_USER],
    ['session-or-acting?user_id=usr_ada', 'their API key', apiKey('ada-key'), NO_SESSION],
    ['session-or-acting?user_id=usr_ada', 'a service that lacks the permission', service(IDLE_TOKEN), NOT_ALLOWED],
    [
      'session-or-acting',
      'a user for another',
      { ...bearer('session-token'), 'X-Acting-User': 'usr_admin' },
      OTHER_USER,
    ],
    [
      'session-or-acting',
      'a user for themselves',
      { ...bearer('session-token'), 'X-Acting-User': 'usr_ada' },
      passes('user:usr_ada'),
    ],
    ['session-or-acting', 'a wrong service for a user', acting('usr_ada', RETIRED_TOKEN), NO_SERVICE],
    ['optional', 'nobody', {}, passes(null)],
    ['optional', 'a user', bearer('ada-token'), passes('user:usr_ada')],
    ['optional', 'an API key', apiKey('ada-key'), passes('user:usr_ada/key:key_1')],
    ['optional', 'a bad token', bearer('garbage'), BAD_TOKEN],
    ['optional', 'an empty token', { Authorization: '' }, BAD_TOKEN],
    ['optional', 'a bad key', apiKey('garbage'), BAD_KEY],
    ['optional', 'a service', service(BILLING_TOKEN), passes('service:billing')],
    ['optional', 'a service for a user', acting('usr_ada'), passes('service:billing/user:usr_ada')],
    ['optional', 'a user for another', { ...bearer('admin-token'), 'X-Acting-User': 'usr_ada' }, OTHER_USER],
    [
      'optional',
      'a user for themselves',
      { ...bearer('admin-token'), 'X-Acting-User': 'usr_admin' },
      passes('user:usr_admin'),
    ],
    ['bearer-or-acting', 'a user', bearer('ada-token'), passes('user:usr_ada')],
    ['bearer-or-acting', 'an API key', apiKey('ada-key'), passes('user:usr_ada/key:key_1')],
    ['bearer-or-acting', 'a service for a user', acting('usr_ada'), passes('service:billing/user:usr_ada')],
    ['bearer-or-acting', 'a service for nobody', service(BILLING_TOKEN), NO_USER],
    ['bearer-or-acting', 'a user for another', { ...bearer('ada-token'), 'X-Acting-User': 'usr_admin' }, OTHER_USER],
    [
      'bearer-or-acting',
      'a user for themselves',
      { ...bearer('ada-token'), 'X-Acting-User': 'usr_ada' },
      passes('user:usr_ada'),
    ],
    ['bearer-or-acting', 'nobody', {}, NO_CREDENTIAL],
    ['session-or-service', 'a signed-in user', bearer('session-token'), passes('user:usr_ada')],
    ['session-or-service', 'an API key', apiKey('ada-key'), NO_SESSION],
    ['session-or-service', 'a service', service(BILLING_TOKEN), passes('service:billing')],
    ['session-or-service', 'a service for a user', acting('usr_ada'), passes('service:billing/user:usr_ada')],
    [
      'session-or-service',
      'a user for another',
      { ...bearer('session-token'), 'X-Acting-User': 'usr_admin' },
      OTHER_USER,
    ],
    [
      'session-or-service',
      'a user for themselves',
      { ...bearer('session-token'), 'X-Acting-User': 'usr_ada' },
      passes('user:usr_ada'),
    ],
    ['session-or-service', 'a wrong service', service('wrong'), NO_SERVICE],
    [
      'admin',
      "an administrator's key for one purpose",
      apiKey('admin-key'),
      { status: 403, body: { code: 'insufficient_scope' } },
    ],
    ['admin', "an administrator's key for everything", apiKey('whole-admin-key'), passes('user:usr_admin/key:key_3')],
    ['scope', 'an API key that has it', apiKey('ada-key'), passes('user:usr_ada/key:key_1')],
    ['admin', 'an administrator', bearer('admin-token'), passes('user:usr_admin')],
    ['admin', 'a service', service(BILLING_TOKEN), passes('service:billing')],
    [
      'admin',
      'a service, not the user beside it',
      { ...service(BILLING_TOKEN), ...bearer('ada-token') },
      passes('service:billing'),
    ],
    ['admin', 'a service for a user', acting('usr_ada'), { status: 403, body: { code: 'insufficient_scope' } }],
    [
      'admin',
      'a service for a user who holds every scope',
      acting('usr_everything'),
      { status: 403, body: { code: 'insufficient_scope' } },
    ],
    ['admin', 'a service for an administrator', acting('usr_admin'), passes('service:billing/user:usr_admin')],
    ['admin', 'an administrator for another', { ...bearer('admin-token'), 'X-Acting-User': 'usr_ada' }, OTHER_USER],
    [
      'admin',
      'an administrator for themselves',
      { ...bearer('admin-token'), 'X-Acting-User': 'usr_admin' },
      passes('user:usr_admin'),
    ],
    ['admin', 'a user for an administrator', { ...bearer('ada-token'), 'X-Acting-User': 'usr_admin' }, OTHER_USER],
    ['scope', 'a user for one who holds it', { ...bearer('ada-token'), 'X-Acting-User': 'usr_writer' }, OTHER_USER],
    [
      'scope',
      'a user who holds it, for themselves',
      { ...bearer('writer-token'), 'X-Acting-User': 'usr_writer' },
      passes('user:usr_writer'),
    ],
    [
      'bearer',
      'an API key for its owner',
      { ...apiKey('ada-key'), 'X-Acting-User': 'usr_ada' },
      passes('user:usr_ada/key:key_1'),
    ],
    ['bearer', 'an API key for another', { ...apiKey('ada-key'), 'X-Acting-User': 'usr_admin' }, OTHER_USER],
    ['bearer', 'a bad token for its user', { ...bearer('garbage'), 'X-Acting-User': 'usr_ada' }, BAD_TOKEN],
    ['session', 'a user for another', { ...bearer('session-token'), 'X-Acting-User': 'usr_admin' }, OTHER_USER],
    [
      'session',
      'a user for themselves',
      { ...bearer('session-token'), 'X-Acting-User': 'usr_ada' },
      passes('user:usr_ada'),
    ],
    ['session', 'a user in their session', OF_SESSION('ses_1'), passes('user:usr_ada')],
    ['session', 'a user in another session', OF_SESSION('ses_2'), OTHER_USER],
    ['service', 'a user for themselves', { ...bearer('admin-token'), 'X-Acting-User': 'usr_admin' }, NO_SERVICE],
    ['acting', 'a user for themselves', { ...bearer('admin-token'), 'X-Acting-User': 'usr_admin' }, NO_SERVICE],
    ['public', 'a user for another', { ...bearer('admin-token'), 'X-Acting-User': 'usr_ada' }, passes(null)],
    [
      'admin',
      'a wrong service, though with an administrator',
      { ...service('wrong'), ...bearer('admin-token') },
      NO_SERVICE,
    ],
    ['admin', 'nobody', {}, NO_CREDENTIAL],
    ['admin', 'a user', bearer('ada-token'), { status: 403, body: { code: 'insufficient_scope' } }],
    [
      'admin',
      'a user who holds every scope',
      bearer('everything-token'),
      { status: 403, body: { code: 'insufficient_scope' } },
    ],
    ['scope', 'a user who holds it', bearer('writer-token'), passes('user:usr_writer')],
    ['scope', 'a user who holds every scope', bearer('everything-token'), passes('user:usr_everything')],
    ['scope', 'nobody', {}, NO_CREDENTIAL],
    ['scope', 'a service', service(BILLING_TOKEN), passes('service:billing')],
    [
      'scope',
      'a service for a user who lacks it',
      acting('usr_ada'),
      { status: 403, body: { code: 'insufficient_scope' } },
    ],
    ['scope', 'a service for a user who holds it', acting('usr_writer'), passes('service:billing/user:usr_writer')],
    [
      'scope',
      'a wrong service, though with a user who holds it',
      { ...service('wrong'), ...bearer('writer-token') },
      NO_SERVICE,
    ],
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

  const NOT_GIVEN = 'The API key does not have it.';
  it.each<[string, string, Record<string, string>, string]>([
    ['scope', 'a user who lacks it', bearer('ada-token'), 'Missing required scope: users:write'],
    ['scope', 'a key that lacks it', apiKey('profile-key'), `Missing required scope: users:write. ${NOT_GIVEN}`],
    [
      'scope',
      'a key whose owner lacks it',
      apiKey('poor-owner-key'),
      'Missing required scope: users:write. The API key has it, but its owner does not.',
    ],
    ['bearer', 'a key that lacks it', apiKey('notes-key'), `Missing required scope: profile:read. ${NOT_GIVEN}`],
    [
      'apps/developer',
      'all that would do',
      apiKey('notes-key'),
      `Missing required scope: extensions:call or developer:call. ${NOT_GIVEN}`,
    ],
    [
      'apps/no%20app',
      'what could be held',
      apiKey('notes-key'),
      `Missing required scope: extensions:call. ${NOT_GIVEN}`,
    ],
    ['admin', 'a user', bearer('ada-token'), 'Only an administrator may do this.'],
    [
      'admin',
      "an administrator's key for one purpose",
      apiKey('admin-key'),
      "Only an administrator may do this. An API key of an administrator needs the scope '*'.",
    ],
    [
      'bearer',
      'the forms of the header',
      { Authorization: 'Basic YWRhOnNlY3JldA==' },
      'Invalid Authorization header. Send "Bearer " and an access token or an API key. An API key can also be sent in x-api-key.',
    ],
  ])('%s: the refusal names %s', async (rule, _who, headers, detail) => {
    expect((await get(`/rules/${rule}`, headers)).body).toMatchObject({ detail });
  });

  it('takes the rule of the class where the route has none', async () => {
    expect(await get('/class/inherited')).toMatchObject(NO_SERVICE);
    expect((await get('/class/inherited', service(BILLING_TOKEN))).status).toBe(200);
    expect((await get('/class/public')).status).toBe(200);
  });

  it('hands the user to the route', async () => {
    expect((await get('/rules/session-or-acting', bearer('session-token'))).body.userId).toBe('usr_ada');
    expect((await get('/rules/acting', acting('usr_ada'))).body.userId).toBe('usr_ada');
    expect((await get('/rules/optional', acting('usr_ada'))).body.userId).toBe('usr_ada');
    expect((await get('/rules/optional', service(BILLING_TOKEN))).body.userId).toBeUndefined();
  });

  describe('takes `user_id` for', () => {
    const OTHER_USER = { status: 403, body: { code: 'other_user' } };
    const asked = (headers: Record<string, string>, query: string, body?: object) => {
      const json = { ...headers, 'Content-Type': 'application/json' };
      const path = `/rules/bearer-or-acting${query}`;
      return body ? get(path, json, app, 'POST', JSON.stringify(body)) : get(path, headers);
    };

    it('the user that a trusted backend acts for, where no header names one', async () => {
      const passed = { body: { caller: 'service:billing/user:usr_ada' } };
      expect(await asked(service(BILLING_TOKEN), '?user_id=usr_ada')).toMatchObject(passed);
      expect(await asked(service(BILLING_TOKEN), '', { user_id: 'usr_ada' })).toMatchObject(passed);
      expect(await asked(acting('usr_ada'), '?user_id=usr_ada')).toMatchObject(passed);
      expect(await asked(service(BILLING_TOKEN), '', { user_id: ['usr_ada'] })).toMatchObject({ status: 422 });
      expect(await asked(service(BILLING_TOKEN), '?user_id=usr_unknown')).toMatchObject({ status: 404 });
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

describe('the start', () => {
  const warningsOf = async (options: Parameters<typeof start>[1]) => {
    const lines: { level: string; msg: string }[] = [];
    const destination = {
      write: (line: string) => void lines.push(JSON.parse(line) as { level: string; msg: string }),
    };
    await (await start([], options, createLogger('rules', 'info', destination))).close();
    return lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
  };

  it('warns of tokens that may do nothing, and of permissions of nobody, by name', async () => {
    const serviceTokens = tokens(
      ['billing-2', BILLING_TOKEN],
      ['idle', IDLE_TOKEN],
      ['panel', DEPLOY_TOKEN],
      ['toString', RETIRED_TOKEN],
    );
    const servicePermissions = { billing: ['users'], 'billing-3': ['audit'], biling: ['*'] } as const;
    expect(await warningsOf({ serviceTokens, servicePermissions })).toEqual([
      'The service token "idle" has no permissions: SERVICE_PERMISSIONS does not list it.',
      'The service token "toString" has no permissions: SERVICE_PERMISSIONS does not list it.',
      'SERVICE_PERMISSIONS lists "billing-3", for which SERVICE_TOKENS has no token.',
      'SERVICE_PERMISSIONS lists "biling", for which SERVICE_TOKENS has no token.',
    ]);
  });

  it('says nothing where each token has its permissions, those of the platform too', async () => {
    const serviceTokens = tokens(
      ['billing', BILLING_TOKEN],
      ['billing-2', DEPLOY_TOKEN],
      ['ext-webhook-host', IDLE_TOKEN],
    );
    expect(await warningsOf({ serviceTokens, servicePermissions: { billing: ['users'] } })).toEqual([]);
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

describe('bodies that a trusted backend sends for many users', () => {
  /** Bodies of 1 MiB that fit into one sender's memory share. */
  const SHARE = 21;
  let held: (() => void)[] = [];

  @Controller('slow')
  class Slow {
    @Post() @Access('bearerOrActingUser', { keyScope: 'profile:read', permission: 'users' }) async slow() {
      await new Promise<void>((done) => held.push(done));
      return {};
    }
  }

  it('do not share the memory of one sender', async () => {
    const slow = await start([Slow]);
    held = [];
    const headers = { ...acting('usr_ada'), 'Content-Type': 'application/json' };
    const answers: Promise<Answer>[] = [];
    for (let sent = 1; sent <= SHARE + 3; sent++) {
      answers.push(get('/slow', headers, slow, 'POST', JSON.stringify({ x: 'x'.repeat(1024 * 1024 - 8) })));
      await until(() => held.length === sent);
    }
    for (const done of held) done();
    expect((await Promise.all(answers)).every(({ status }) => status === 201)).toBe(true);
    await slow.close();
  });
});

describe('a route that may be repeated and does not say whether it moves money', () => {
  @Controller('money')
  class Silent {
    @Post('said') @MovesMoney() @Access('session', { money: false }) said() {
      return {};
    }
    @Post() @MovesMoney() @Access('session') silent() {
      return {};
    }
  }

  it('refuses to boot, and is named', async () => {
    await expect(start([Silent])).rejects.toThrow('Routes without the term money in @Access: Silent.silent');
  });
});

describe('a route that does not say what a credential must be for', () => {
  const careless = Access as (rule: string, terms?: object) => MethodDecorator;

  @Controller('careless')
  class Careless {
    @Get('key') @careless('bearer') key() {
      return {};
    }
    @Get('no-key') @careless('bearerOrActingUser', { permission: 'users', keyScope: [] }) noKey() {
      return {};
    }
    @Get('service') @careless('service') service() {
      return {};
    }
    @Get('scope') @careless('users:read') scope() {
      return {};
    }
    @Get('optional') @careless('optional', { keyScope: 'profile:read' }) optional() {
      return {};
    }
  }

  it('refuses to boot, and is named', async () => {
    const refusal = start([Careless]);
    await expect(refusal).rejects.toThrow('Routes without a scope for API keys: Careless.key, Careless.noKey');
    await expect(refusal).rejects.toThrow(
      'Routes without a permission for service tokens: Careless.service, Careless.scope, Careless.optional',
    );
  });
});

describe('the name of a service token', () => {
  const get1 = async (
    name: string,
    servicePermissions: Parameters<typeof GuardsModule.register>[0]['servicePermissions'],
  ) => {
    const one = await start([Routes], { serviceTokens: tokens([name, BILLING_TOKEN]), servicePermissions });
    const { status, body } = await get('/rules/service', service(BILLING_TOKEN), one);
    await one.close();
    return [status, body.code];
  };

  it.each<[string, string, Parameters<typeof get1>[1], unknown]>([
    ['may do nothing that nobody allowed', 'billing', {}, [403, 'service_not_allowed']],
    ['may do what it is allowed', 'billing', { billing: ['audit', 'users'] }, [200, undefined]],
    ['may do nothing else', 'billing', { billing: ['audit'] }, [403, 'service_not_allowed']],
    ['may do everything when that is allowed', 'billing', { billing: ['*'] }, [200, undefined]],
    ['may do nothing of another name', 'billing-backend', { billing: ['*'] }, [403, 'service_not_allowed']],
    ['is the same with a number', 'billing-2', { billing: ['users'] }, [200, undefined]],
    [
      'is not the same with a number when it has a list of its own',
      'billing-2',
      { billing: ['users'], 'billing-2': ['audit'] },
      [403, 'service_not_allowed'],
    ],
    [
      'is that of a service of the platform with a number too',
      'panel-2',
      { 'panel-2': ['*'] },
      [403, 'service_not_allowed'],
    ],
    ['is none of the prototype', 'constructor', {}, [403, 'service_not_allowed']],
  ])('%s', async (_what, name, grants, expected) => {
    expect(await get1(name, grants)).toEqual(expected);
  });

  it('is told with the missing permission', async () => {
    const { body } = await get('/rules/service', service(IDLE_TOKEN));
    expect(body).toMatchObject({ detail: 'The service token "idle" lacks the permission users.' });
  });
});

describe('the service token', () => {
  it.each([
    ['empty', ''],
    ['shorter', BILLING_TOKEN.slice(0, -1)],
    ['longer', `${BILLING_TOKEN}0`],
    ['in another case', BILLING_TOKEN.toUpperCase()],
    ['with its name', `billing:${BILLING_TOKEN}`],
    ['two of them', `${BILLING_TOKEN},${DEPLOY_TOKEN}`],
    ['a retired one', RETIRED_TOKEN],
    ['4 kB', 'x'.repeat(4_096)],
  ])('is refused when it is wrong: %s', async (_what, token) => {
    expect(await get('/rules/service', service(token))).toMatchObject(NO_SERVICE);
  });

  it('is refused when it is sent twice, even twice the same', async () => {
    for (const sent of [
      [BILLING_TOKEN, BILLING_TOKEN],
      ['wrong', BILLING_TOKEN],
    ]) {
      expect(await get('/rules/service', { 'X-Service-Token': sent })).toMatchObject({
        status: 400,
        body: { code: 'malformed_header' },
      });
    }
  });

  it('counts nowhere but in its header', async () => {
    expect(await get(`/rules/service?x-service-token=${BILLING_TOKEN}&service_token=${BILLING_TOKEN}`)).toMatchObject(
      NO_SERVICE,
    );
    expect(await get('/rules/service', { Cookie: `X-Service-Token=${BILLING_TOKEN}` })).toMatchObject(NO_SERVICE);
  });

  it('works beside its successor until it is retired', async () => {
    const both = await start([Routes], {
      serviceTokens: tokens(['billing-2', BILLING_TOKEN], ['billing-1', RETIRED_TOKEN]),
    });
    expect(await get('/rules/service', service(BILLING_TOKEN), both)).toMatchObject(passes('service:billing-2'));
    expect(await get('/rules/service', service(RETIRED_TOKEN), both)).toMatchObject(passes('service:billing-1'));
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

  it.each(['/rules/acting', '/rules/service', '/rules/bearer'])(
    'is missed where a session of theirs is named, at %s',
    async (path) => {
      const headers = { ...service(BILLING_TOKEN), 'X-Acting-Session': 'ses_1' };
      expect(await get(path, headers)).toMatchObject(NO_USER);
    },
  );

  it('is named when it is missing', async () => {
    expect(await get('/rules/acting', service(BILLING_TOKEN))).toMatchObject(NO_USER);
  });

  it('is refused when nobody may act for them', async () => {
    expect(await get('/rules/acting', acting('usr_disabled'))).toMatchObject({
      status: 403,
      body: { code: 'account_disabled' },
    });
    expect(await get('/rules/acting', acting('usr_unknown'))).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await get('/rules/acting', acting('__proto__'))).toMatchObject({ status: 404 });
  });

  it('is who calls on a route for signed-in users, and opens it to no backend', async () => {
    expect(await get('/rules/bearer', { ...bearer('ada-token'), 'X-Acting-User': 'usr_admin' })).toMatchObject(
      OTHER_USER,
    );
    expect(await get('/rules/bearer', { ...bearer('ada-token'), 'X-Acting-User': 'usr_ada' })).toMatchObject(
      passes('user:usr_ada'),
    );
    expect(
      await get('/rules/bearer', { ...bearer('ada-token'), 'X-Acting-User': ['usr_ada', 'usr_admin'] }),
    ).toMatchObject({
      status: 400,
    });
    expect(await get('/rules/bearer', acting('usr_admin'))).toMatchObject(NO_CREDENTIAL);
  });
});

describe('the Authorization header', () => {
  it.each(['bearer ada-token', 'BEARER ada-token', 'Bearer   ada-token'])(
    'may be written as %j',
    async (Authorization) => {
      expect(await get('/rules/bearer', { Authorization })).toMatchObject(passes('user:usr_ada'));
    },
  );

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
      expect(await get('/rules/bearer', { Authorization: sent })).toMatchObject({
        status: 400,
        body: { code: 'malformed_header' },
      });
    }
  });

  it('is refused when it is longer than any credential', async () => {
    expect((await get('/rules/bearer', bearer('x'.repeat(9_000)))).status).toBe(400);
    expect((await get('/rules/bearer', bearer('x'.repeat(64 * 1024)))).status).toBe(431);
  });

  it('counts nowhere else: not in the query, not in a cookie, not in a body', async () => {
    expect(await get('/rules/bearer?access_token=ada-token&authorization=Bearer%20ada-token')).toMatchObject(
      NO_CREDENTIAL,
    );
    expect(await get('/rules/bearer', { Cookie: 'access_token=ada-token' })).toMatchObject(NO_CREDENTIAL);
    const body = JSON.stringify({ access_token: 'ada-token' });
    expect(await get('/rules/bearer', { 'Content-Type': 'application/json' }, app, 'POST', body)).toMatchObject(
      NO_CREDENTIAL,
    );
  });
});

describe('a service without credentials of its own', () => {
  it('knows trusted backends only', async () => {
    const app = await start([Routes], { credentials: undefined });
    expect(await get('/rules/service', service(BILLING_TOKEN), app)).toMatchObject(passes('service:billing'));
    expect((await get('/rules/bearer', bearer('ada-token'), app)).status).toBe(401);
    expect((await get('/rules/admin', bearer('admin-token'), app)).status).toBe(401);
    expect((await get('/rules/acting', acting('usr_ada'), app)).status).toBe(401);
    await app.close();
  });
});
