import { applyDecorators, SetMetadata, type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { KeyScope, ServicePermission } from '@platform/contracts';
import { TakesQueryKey } from '@platform/platform';
import type { Request } from 'express';
import { userOf, type Caller, type UserCaller } from './caller.js';

export const ACCESS = Symbol('ACCESS');
/** Address of the panel; absent in a service whose routes name no page of it. */
export const PANEL_URL = Symbol('PANEL_URL');

type Scope = `${string}:${string}`;
/** A scope with a parameter of the path in it, such as `{app_id}:call`. */
type ScopeOfPath = `{${string}}:${string}`;

/** The rules that admit API keys, without asking for a scope of their owner. */
type KeyRule = 'optional' | 'bearer' | 'bearerOrActingUser' | 'bearerOrService';
/** `public` admits everybody, `session` only people who are signed in; neither has terms. */
type PlainRule = 'public' | 'session';
/** The rules that admit service tokens. */
type ServiceRule = Exclude<AccessRule, PlainRule | 'bearer'>;

/**
 * Who may call a route. `public`: everyone. `optional`: everyone too, and who sends a credential must send a good one and is known.
 * `bearer`: a user, by access token or API key. `session`: a signed-in user, by access token only, for what a leaked key must not do.
 * `service`: a trusted backend for itself. `serviceActingUser`: a trusted backend for the user in `X-Acting-User`. `bearerOrActingUser`:
 * a user, or a trusted backend for the user in `X-Acting-User` or, without the header, in `user_id` of the query or the body; who names
 * anybody else there is refused. `sessionOrActingUser`: the same, but no API keys. `sessionOrService`, `bearerOrService`,
 * `adminOrService`: a user, who must be an administrator in the last case, or a trusted backend with or without an acting user. Otherwise
 * a scope such as `users:write`, which a user must hold, and a trusted backend only when it acts for one.
 *
 * Whoever acts for a user can do what that user can, and no more.
 */
export type AccessRule =
  | 'public'
  | 'optional'
  | 'bearer'
  | 'session'
  | 'service'
  | 'serviceActingUser'
  | 'sessionOrActingUser'
  | 'bearerOrActingUser'
  | 'sessionOrService'
  | 'bearerOrService'
  | 'adminOrService'
  | Scope;

interface KeyTerms {
  /** What an API key must have been given; of several, one. Sessions need none of it. */
  keyScope: KeyScope | readonly (KeyScope | ScopeOfPath)[];
}

interface ServiceTerms {
  /** What the name of a service token must be allowed. */
  permission: ServicePermission;
}

/** Path of the panel's page on which a person does the same, such as `/wallet`. */
export type PanelPath = `/${string}`;

interface MoneyTerms {
  /**
   * The route moves money or credits, or lets them be moved later: 403 `money.release_denied` for API keys, apps and command lines. A path names the page of the panel
   * to which the refusal sends the user. `false` on an idempotent route that a program may call.
   */
  money?: boolean | PanelPath;
}

/** What `@Access` keeps of a route. */
export interface RouteAccess {
  rule: AccessRule;
  /** Empty where the rule admits no keys, or says itself what they need. */
  keyScopes: readonly string[];
  /** Null where the rule admits no service tokens. */
  permission: ServicePermission | null;
  /** Null where the route does not say. */
  money: boolean | PanelPath | null;
}

/**
 * The guard of a route, its OpenAPI security entry and its documented 401 and 403, in one. A route without it refuses to boot, and so does
 * one that admits API keys or service tokens and does not say which.
 */
export function Access(rule: PlainRule, terms?: MoneyTerms): MethodDecorator & ClassDecorator;
export function Access(rule: 'bearer', terms: KeyTerms & MoneyTerms): MethodDecorator & ClassDecorator;
export function Access(rule: Exclude<KeyRule, 'bearer'>, terms: KeyTerms & ServiceTerms & MoneyTerms): MethodDecorator & ClassDecorator;
export function Access(rule: Exclude<ServiceRule, KeyRule>, terms: ServiceTerms & MoneyTerms): MethodDecorator & ClassDecorator;
export function Access(
  rule: AccessRule,
  { keyScope = [], permission, money }: Partial<KeyTerms & ServiceTerms & MoneyTerms> = {},
): MethodDecorator & ClassDecorator {
  const access: RouteAccess = { rule, keyScopes: [keyScope].flat(), permission: permission ?? null, money: money ?? null };
  const needed = keyScopesNeeded(access);
  return applyDecorators(
    SetMetadata(ACCESS, access),
    ...documented(rule),
    ...(NAMES_USER.has(rule) ? [TakesQueryKey('user_id', NAMED_USER)] : []),
    ...(needed.length ? [ApiExtension('x-key-scopes', needed)] : []),
    ...(userScopeOf(rule) ? [ApiExtension('x-user-scope', userScopeOf(rule))] : []),
    ...(permission ? [ApiExtension('x-service-permission', permission)] : []),
    ...(money ? [ApiExtension('x-moves-money', true)] : []),
  );
}

const NAMED_USER = 'The user who calls, or for whom a trusted backend does, which may name them here instead of in `X-Acting-User`.';

/** The rules by which a request may name the user beside, or instead of, `X-Acting-User`. */
const NAMES_USER: ReadonlySet<AccessRule> = new Set<AccessRule>(['sessionOrActingUser', 'bearerOrActingUser']);
const TAKES_KEYS: ReadonlySet<AccessRule> = new Set<KeyRule>(['optional', 'bearer', 'bearerOrActingUser', 'bearerOrService']);
const TAKES_NO_SERVICES: ReadonlySet<AccessRule> = new Set<AccessRule>(['public', 'session', 'bearer']);

/** Set on a route whose request can be repeated safely because it moves something: its `@Access` has to say `money`. */
const SAYS_MONEY = Symbol('SAYS_MONEY');
export const SaysMoney = (): MethodDecorator => SetMetadata(SAYS_MONEY, true);
export const needsMoneyTerm = (handler: object): boolean => Reflect.getMetadata(SAYS_MONEY, handler) === true;

/** Why a service with this route must not start; null when it may. */
export function lackOf(access: RouteAccess | undefined, handler: object): string | null {
  if (!access) return '@Access';
  if (needsMoneyTerm(handler) && access.money === null) return 'a word on money in @Access';
  if (TAKES_KEYS.has(access.rule) && !access.keyScopes.length) return 'a scope for API keys';
  return !TAKES_NO_SERVICES.has(access.rule) && !access.permission ? 'a permission for service tokens' : null;
}

/** For the documentation. Administrators' keys count when they were given everything. */
function keyScopesNeeded({ rule, keyScopes }: RouteAccess): readonly string[] {
  if (rule === 'adminOrService') return ['*'];
  return rule.includes(':') ? [rule] : keyScopes;
}

/** What the user must hold, or be. */
const userScopeOf = (rule: AccessRule): string | null => (rule === 'adminOrService' ? 'admin' : rule.includes(':') ? rule : null);

function documented(rule: AccessRule): (MethodDecorator & ClassDecorator)[] {
  const actingUser = ApiSecurity({ service: [], actingUser: [] });
  switch (rule) {
    case 'public':
      return [];
    case 'optional':
      return [...documented('bearerOrService'), ApiSecurity({})];
    case 'service':
      return [ApiSecurity('service')];
    case 'serviceActingUser':
      return [actingUser];
    case 'sessionOrActingUser':
      return [ApiBearerAuth('bearer'), actingUser];
    case 'bearerOrActingUser':
      return [ApiBearerAuth('bearer'), ApiSecurity('apiKey'), actingUser];
    case 'adminOrService':
    case 'sessionOrService':
      return [ApiBearerAuth('bearer'), ApiSecurity('service')];
    case 'session':
      return [ApiBearerAuth('bearer')];
    case 'bearer':
      return [ApiBearerAuth('bearer'), ApiSecurity('apiKey')];
    default:
      return [ApiBearerAuth('bearer'), ApiSecurity('apiKey'), ApiSecurity('service')];
  }
}

declare module 'express' {
  interface Request {
    caller?: Caller;
  }
}

/** Whoever calls; not on `public` routes. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw new Error('@CurrentCaller on a route that admits everyone');
  return caller;
});

/** The user who calls; only on routes whose access guarantees one. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext): UserCaller => {
  const user = personOf(context);
  if (!user) throw new Error('@CurrentUser on a route that admits callers without a user');
  return user;
});

/** The user who calls, or null; for routes with the access `optional`. */
export const MaybeUser = createParamDecorator((_data: unknown, context: ExecutionContext): UserCaller | null => personOf(context) ?? null);

function personOf(context: ExecutionContext): UserCaller | undefined {
  const { caller } = context.switchToHttp().getRequest<Request>();
  return caller && userOf(caller);
}
