import { applyDecorators, SetMetadata, type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { KeyScope, ServicePermission } from '@platform/contracts';
import { AcceptsQueryKey } from '@platform/platform';
import type { Request } from 'express';
import { userOf, type Caller, type UserCaller } from './caller.js';

export const ACCESS = Symbol('ACCESS');
/** Address of the panel. Absent in a service without routes that name a page of the panel. */
export const PANEL_URL = Symbol('PANEL_URL');

type Scope = `${string}:${string}`;
/** A scope with a parameter of the path, such as `{app_id}:call`. */
type ScopeOfPath = `{${string}}:${string}`;

/** Rules that admit API keys without requiring a scope of their owner. */
type KeyRule = 'optional' | 'bearer' | 'bearerOrActingUser' | 'bearerOrService';
/**
 * `public` admits everyone, and `session` only users with an access token. Neither has terms for
 * keys or services.
 */
type PlainRule = 'public' | 'session';
/** Rules that admit service tokens. */
type ServiceRule = Exclude<AccessRule, PlainRule | 'bearer'>;

/**
 * The callers that a route admits:
 * - `public`: everyone.
 * - `optional`: everyone. A credential that is sent must be valid, and identifies the caller.
 * - `bearer`: a user with an access token or an API key.
 * - `session`: a user with an access token, for actions that a leaked API key must not allow.
 * - `service`: a trusted backend for itself.
 * - `serviceActingUser`: a trusted backend for the user in `X-Acting-User`.
 * - `bearerOrActingUser`: a user, or a trusted backend for the user in `X-Acting-User` or, without
 *   the header, in `user_id` of the query or the body. A user can only name themselves there.
 * - `sessionOrActingUser`: the same, without API keys.
 * - `sessionOrService`, `bearerOrService`, `adminOrService`: a user, for the last one an
 *   administrator; or a trusted backend, for itself or for a user.
 * - a scope such as `users:write`: a user with this scope; or a trusted backend, for itself or for
 *   a user with this scope.
 *
 * A trusted backend that acts for a user can do exactly what that user can do.
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
  /** Scope that an API key must have; one of several is enough. Sessions do not need it. */
  keyScope: KeyScope | readonly (KeyScope | ScopeOfPath)[];
}

interface ServiceTerms {
  /** Permission that a service token must have. */
  permission: ServicePermission;
}

/** Path of the page of the panel on which a user can do the same, such as `/wallet`. */
export type PanelPath = `/${string}`;

interface MoneyTerms {
  /**
   * True if the route moves money or credits, or allows it for later: 403 `money.release_denied`
   * for API keys, apps and command lines. A path means true, and names the page of the panel in the
   * error. `false` on an idempotent route that programs can call.
   */
  money?: boolean | PanelPath;
}

/** Metadata of `@Access` for a route. */
export interface RouteAccess {
  rule: AccessRule;
  /** Empty if the rule admits no keys, or itself says which scope they need. */
  keyScopes: readonly string[];
  /** Null if the rule admits no service tokens. */
  permission: ServicePermission | null;
  /** Null if the route does not set it. */
  money: boolean | PanelPath | null;
}

/**
 * Sets the access rule of a route, with its OpenAPI security. A service does not start if a route
 * has no `@Access`, admits API keys or service tokens without their scope or permission, or takes
 * an `Idempotency-Key` (`MovesMoney`) and does not set `money`.
 */
export function Access(rule: PlainRule, terms?: MoneyTerms): MethodDecorator & ClassDecorator;
export function Access(rule: 'bearer', terms: KeyTerms & MoneyTerms): MethodDecorator & ClassDecorator;
export function Access(
  rule: Exclude<KeyRule, 'bearer'>,
  terms: KeyTerms & ServiceTerms & MoneyTerms,
): MethodDecorator & ClassDecorator;
export function Access(
  rule: Exclude<ServiceRule, KeyRule>,
  terms: ServiceTerms & MoneyTerms,
): MethodDecorator & ClassDecorator;
export function Access(
  rule: AccessRule,
  { keyScope = [], permission, money }: Partial<KeyTerms & ServiceTerms & MoneyTerms> = {},
): MethodDecorator & ClassDecorator {
  const access: RouteAccess = {
    rule,
    keyScopes: [keyScope].flat(),
    permission: permission ?? null,
    money: money ?? null,
  };
  const needed = keyScopesNeeded(access);
  return applyDecorators(
    SetMetadata(ACCESS, access),
    ...documented(rule),
    ...(NAMES_USER.has(rule) ? [AcceptsQueryKey('user_id', NAMED_USER)] : []),
    ...(needed.length ? [ApiExtension('x-key-scopes', needed)] : []),
    ...(userScopeOf(rule) ? [ApiExtension('x-user-scope', userScopeOf(rule))] : []),
    ...(permission ? [ApiExtension('x-service-permission', permission)] : []),
    ...(money ? [ApiExtension('x-moves-money', true)] : []),
  );
}

const NAMED_USER =
  'The calling user, or the user for whom a trusted backend acts. A backend can send it instead of `X-Acting-User`.';

/** Rules with which a request can name the user in `user_id`. */
const NAMES_USER: ReadonlySet<AccessRule> = new Set<AccessRule>(['sessionOrActingUser', 'bearerOrActingUser']);
const TAKES_KEYS: ReadonlySet<AccessRule> = new Set<KeyRule>([
  'optional',
  'bearer',
  'bearerOrActingUser',
  'bearerOrService',
]);
const TAKES_NO_SERVICES: ReadonlySet<AccessRule> = new Set<AccessRule>(['public', 'session', 'bearer']);

/**
 * Marks a route that takes an `Idempotency-Key`: its `@Access` must set `money`, to false if it
 * moves none.
 */
const SAYS_MONEY = Symbol('SAYS_MONEY');
export const MovesMoney = (): MethodDecorator => SetMetadata(SAYS_MONEY, true);
export const needsMoneyTerm = (handler: object): boolean => Reflect.getMetadata(SAYS_MONEY, handler) === true;

/**
 * Finds the missing part of a route's access: its `@Access`, the term `money`, a scope for API
 * keys, or a permission for service tokens. The service must not start without it. Null if nothing
 * is missing.
 */
export function missingAccessTerm(access: RouteAccess | undefined, handler: object): string | null {
  if (!access) return '@Access';
  if (needsMoneyTerm(handler) && access.money === null) return 'the term money in @Access';
  if (TAKES_KEYS.has(access.rule) && !access.keyScopes.length) return 'a scope for API keys';
  return !TAKES_NO_SERVICES.has(access.rule) && !access.permission ? 'a permission for service tokens' : null;
}

/**
 * Scopes of which an API key needs one, for the documentation: `*` for `adminOrService`, the scope
 * itself for a rule that is a scope, otherwise `keyScope` of the route; empty if the rule admits no
 * keys.
 */
function keyScopesNeeded({ rule, keyScopes }: RouteAccess): readonly string[] {
  if (rule === 'adminOrService') return ['*'];
  return rule.includes(':') ? [rule] : keyScopes;
}

/** Scope that the user needs, or `admin`. Null if the user needs neither. */
const userScopeOf = (rule: AccessRule): string | null =>
  rule === 'adminOrService' ? 'admin' : rule.includes(':') ? rule : null;

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

/**
 * Parameter decorator: the caller. It throws on a route without one: `public`, or `optional`
 * without a credential.
 */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw new Error('@CurrentCaller on a route that admits everyone');
  return caller;
});

/**
 * Parameter decorator: the calling user, or the user for whom a backend acts. It throws for a
 * caller without a user, so use it only on routes that admit no such caller.
 */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext): UserCaller => {
  const user = personOf(context);
  if (!user) throw new Error('@CurrentUser on a route that admits callers without a user');
  return user;
});

/**
 * Parameter decorator: the calling user, or the user for whom a backend acts; null if there is
 * none. For routes with the rule `optional`.
 */
export const MaybeUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): UserCaller | null => personOf(context) ?? null,
);

function personOf(context: ExecutionContext): UserCaller | undefined {
  const { caller } = context.switchToHttp().getRequest<Request>();
  return caller && userOf(caller);
}
