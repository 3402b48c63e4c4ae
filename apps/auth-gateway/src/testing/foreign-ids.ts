import type { TestClient, TestResponse } from '@platform/testing';
import type { DocumentedRoute } from './documented-routes.js';
import { sampleOf, sampleWith, valuesOf } from './sample-bodies.js';
import { UNKNOWN, type Kind, type TenantContent } from './tenant-content.js';

/** What the interface calls ids, and whatever else names one thing of a tenant, in a path, a query or a body. */
const KIND_OF: Record<string, Kind> = {
  tenant_id: 'tenant',
  parent_tenant_id: 'tenant',
  user_id: 'user',
  platform_id: 'user',
  actor_id: 'user',
  target_id: 'user',
  email: 'email',
  search: 'email',
  role_id: 'role',
  role: 'roleName',
  scope_id: 'scope',
  scope: 'scopeName',
  scopes: 'scopeName',
  denied_scopes: 'scopeName',
  default_scopes: 'scopeName',
  agency_id: 'agency',
  key_id: 'key',
  session_id: 'session',
  user_code: 'userCode',
  app_id: 'app',
  confirm_name: 'app',
  deploy_id: 'deploy',
  trace_id: 'action',
  confirmation_id: 'confirmation',
  rule_id: 'rule',
  payout_id: 'payout',
  payment_intent_id: 'payment',
  pm_id: 'card',
  payment_method_id: 'card',
  invoice_id: 'invoice',
};

/** What sounds like an id and names nothing of a tenant, and why. */
const OF_NO_TENANT: Record<string, string> = {
  cases_user_id: 'is a number of the Cases API',
  name: 'is of a secret or a schedule, within the app that the path names, too',
  event_id: 'is looked up among those of the app that the path names, too',
  delivery_id: 'is looked up among those of the app that the path names, too',
  request_id: 'filters the log of the app that the path names, too',
  plan_id: 'is of a plan of the platform',
  source_id: 'is a note of where a scope comes from, and not looked up',
};

/** What a path names within an app, where it must have a certain form. */
export const EVENT_ID = '019346e0-0000-7000-8000-000000000001';
const OF_APPS: Record<string, string> = { event_id: EVENT_ID };

/** The marketplace, with what people say in it, is the same for the users of every tenant. */
const OF_EVERYBODY = '/v1/marketplace/';

/** Where something new gets a name that nobody on the platform has: whether somebody does is for everybody to know. */
const NAMES_OF_PLATFORM: Record<string, string> = { 'POST /v1/developer/apps': 'app_id' };

/** What a body has to say for an answer about what is named elsewhere. A description tells of no key that is required instead of another. */
const BODIES: Record<string, (caller: Caller) => object> = {
  'POST /v1/billing/subscribe': () => ({ plan_id: 'free' }),
  'POST /v1/billing/checkout': () => ({ plan_id: 'pro' }),
  'POST /v1/billing/checkout/confirm': ({ own }) => ({ payment_intent_id: own.ids.payment[1] }), // of a plan
  'POST /v1/automations': () => ({ prompt: 'every day at 09:00: message "x"' }),
  'POST /v1/developer/apps': () => ({ app_id: UNKNOWN.app(), name: 'An app' }),
  'POST /v1/developer/register': () => ({ nickname: 'x' }), // works once, so nobody does
  'POST /v1/developer/apps/{app_id}/deploys': () => ({ version: '0.0.0' }),
  'POST /v1/developer/payouts': () => ({ amount: 10_000 }),
  'POST /v1/developer/payouts/request': () => ({ amount: 10_000 }),
  'POST /v1/extensions/{app_id}/call': ({ userId }) => ({ user_id: userId, function: 'x' }),
  'POST /v1/extensions/{app_id}/batch': ({ userId }) => ({ user_id: userId, calls: [{ function: 'x' }] }),
};

const SOUNDS_LIKE_AN_ID = /(^|_)(id|ids|uid|uids)$/;

export interface Place {
  in: 'path' | 'query' | 'body';
  /** Of more than one name in a body that has bodies in it. */
  path: string[];
}

const nameOf = ({ path }: Place): string => path.at(-1) ?? '';
export const kindOf = (place: Place): Kind | undefined => KIND_OF[nameOf(place)];

/** Where a route takes something that could be another tenant's. In a path that is every place. */
export function placesOf({ method, path, query, schema }: DocumentedRoute): Place[] {
  if (path.startsWith(OF_EVERYBODY)) return [];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Place => ({ in: 'path', path: [name] }));
  const others = [
    ...query.map(({ name }): Place => ({ in: 'query', path: [name] })),
    ...(schema ? valuesOf(schema) : []).map((names): Place => ({ in: 'body', path: names })),
  ].filter((place) => nameOf(place) in KIND_OF || SOUNDS_LIKE_AN_ID.test(nameOf(place)));
  const named = NAMES_OF_PLATFORM[`${method} ${path}`];
  return [...inPath, ...others].filter((place) => !(nameOf(place) in OF_NO_TENANT) && nameOf(place) !== named);
}

export type Way = 'bearer' | 'service';

/**
 * Whether a person or a key, or a trusted backend that acts for somebody, gets in. A route for trusted backends alone acts for nobody and
 * reaches every tenant; a public one answers strangers (`enumeration.spec.ts`).
 */
export const admits = ({ security }: DocumentedRoute, way: Way): boolean =>
  way === 'bearer'
    ? security.some((credentials) => credentials.join() === 'bearer')
    : security.some((credentials) => credentials.includes('actingUser')) ||
      (security.length > 1 && security.some((credentials) => credentials.join() === 'service'));

export interface Caller {
  name: string;
  client: TestClient;
  userId: string;
  /** The tenant with what fills every place that is not tried. */
  own: TenantContent;
}

export interface Filled {
  /** What stands in a place; in all others that must have something stands what is the caller's own. */
  place?: Place | undefined;
  value?: string | undefined;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

const bodyOf = ({ method, path }: DocumentedRoute, caller: Caller): object => BODIES[`${method} ${path}`]?.(caller) ?? {};

/** Whether a body has to have this, and nothing says yet what. */
export const mustBeFilled = (route: DocumentedRoute, caller: Caller, { path: [key = '', ...rest] }: Place): boolean =>
  !rest.length && Boolean(route.schema?.required?.includes(key)) && !(key in bodyOf(route, caller));

export function send(route: DocumentedRoute, caller: Caller, { place, value = '', query, headers = {} }: Filled) {
  const { client, own } = caller;
  const ownOf = (name: string): string => {
    const kind = route.path.startsWith(OF_EVERYBODY) ? undefined : KIND_OF[name];
    return (kind && own.ids[kind][0]) ?? OF_APPS[name] ?? 'x';
  };
  const isHere = (where: Place['in'], name: string) => place?.in === where && nameOf(place) === name;
  const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(isHere('path', name) ? value : ownOf(name)));
  const asked = route.query
    .filter(({ name, required }) => required || isHere('query', name))
    .map(({ name, schema }): [string, string] => [name, isHere('query', name) ? value : String(sampleOf(schema))]);
  const search = new URLSearchParams([...asked, ...Object.entries(query ?? {})]).toString();
  const sample = route.schema && (place?.in === 'body' ? sampleWith(route.schema, place.path, value) : sampleOf(route.schema));
  const tried = place?.in === 'body' && sample ? Object.entries(sample).filter(([key]) => key === place.path[0]) : [];
  const body = sample ? { ...sample, ...bodyOf(route, caller), ...Object.fromEntries(tried) } : undefined;
  return client.request(route.method, `${path}?${search}`, body, { headers });
}

/** All that an answer tells. Of what was created or changed only the form, since the rest is new each time. */
function told(method: string, { status, body }: TestResponse<unknown>, sent: string): unknown {
  if (status < 300 && method !== 'GET') return { status, keys: Object.keys(body as object).sort() };
  const isRequestId = (key: string) => status >= 400 && key === 'request_id';
  return { status, body: JSON.stringify(body, (key, value: unknown) => (isRequestId(key) ? '' : value)).replaceAll(sent, '{id}') };
}

function foundIn({ texts }: TenantContent, { body }: TestResponse<unknown>, sent: string): string | undefined {
  const text = JSON.stringify(body).replaceAll(sent, '');
  return texts.find((secret) => text.includes(secret));
}

type Sent = Filled & { value: string };

/**
 * Sends the same with each of a victim's things and with what is nobody's, and expects to be told the same, and nothing of the victim.
 *
 * @returns the status for each, and what was tried, for a message.
 */
export async function expectSame(
  route: DocumentedRoute,
  caller: Caller,
  victim: TenantContent,
  foreign: Sent[],
  unknown: Sent,
): Promise<{ about: unknown[]; status: number }[]> {
  const answers: { sent: Sent; found: TestResponse<unknown> }[] = [];
  for (const sent of foreign) answers.push({ sent, found: await send(route, caller, sent) });
  // Last, so that it also takes the place of what a change has left of the victim's in what is the caller's own.
  const missing = await send(route, caller, unknown);
  return answers.map(({ sent, found }) => {
    const about = [caller.name, sent.place?.path.join('.'), sent.value];
    expect([...about, told(route.method, found, sent.value)]).toEqual([...about, told(route.method, missing, unknown.value)]);
    expect([...about, foundIn(victim, found, sent.value)]).toEqual([...about, undefined]);
    expect([...about, found.status === 429 || found.status >= 500]).toEqual([...about, false]);
    return { about, status: found.status };
  });
}

/** `expectSame` with everything of a kind that the victim has, in one place. */
export const expectUnknown = (
  route: DocumentedRoute,
  caller: Caller,
  victim: TenantContent,
  place: Place,
  kind: Kind,
): Promise<{ about: unknown[]; status: number }[]> =>
  expectSame(
    route,
    caller,
    victim,
    victim.ids[kind].map((value) => ({ place, value })),
    { place, value: UNKNOWN[kind]() },
  );
