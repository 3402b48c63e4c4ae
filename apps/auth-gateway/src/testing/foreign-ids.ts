import {
  type DocumentedRoute,
  createSample,
  createSampleWith,
  type TestClient,
  type TestResponse,
  listValuePaths,
} from '@platform/testing';
import { BODIES, KIND_OF, newUnknownId } from './all-content.js';
import type { TenantContent } from './tenant-content.js';

/** Fields with names like ids that identify nothing of a tenant, with the reason. */
const OF_NO_TENANT: Record<string, string> = {
  cases_user_id: 'is a number of the Cases API',
  name: 'is of a secret or a schedule, within the app that the path names, too',
  event_id: 'is looked up among those of the app that the path names, too',
  delivery_id: 'is looked up among those of the app, or of the webhook endpoint, that the path names, too',
  request_id: 'filters the log of the app that the path names, too',
  plan_id: 'is of a plan of the platform',
  source_id: 'is a note of where a scope comes from, and not looked up',
};

/** Values for path fields that must have a certain form. */
export const EVENT_ID = '019346e0-0000-7000-8000-000000000001';
const OF_APPS: Record<string, string> = { event_id: EVENT_ID };

/** The marketplace and its reviews are the same for users of all tenants. */
const OF_EVERYBODY = '/v1/marketplace/';

/** Fields that take a new name, unique on the platform. Every caller can see if a name is taken. */
const NAMES_OF_PLATFORM: Record<string, string> = { 'POST /v1/developer/apps': 'app_id' };

const SOUNDS_LIKE_AN_ID = /(^|_)(id|ids|uid|uids)$/;

export interface Place {
  in: 'path' | 'query' | 'body';
  /** More than one element for a nested field of a body. */
  path: string[];
}

const nameOf = ({ path }: Place): string => path.at(-1) ?? '';
export const kindOf = (place: Place): string | undefined => KIND_OF.get(nameOf(place));

/**
 * Places where a route accepts an id that could belong to another tenant. Every path parameter is
 * one.
 */
export function idPlacesOf({ method, path, query, schema }: DocumentedRoute): Place[] {
  if (path.startsWith(OF_EVERYBODY)) return [];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Place => ({ in: 'path', path: [name] }));
  const others = [
    ...query.map(({ name }): Place => ({ in: 'query', path: [name] })),
    ...(schema ? listValuePaths(schema) : []).map((names): Place => ({ in: 'body', path: names })),
  ].filter((place) => KIND_OF.has(nameOf(place)) || SOUNDS_LIKE_AN_ID.test(nameOf(place)));
  const named = NAMES_OF_PLATFORM[`${method} ${path}`];
  return [...inPath, ...others].filter((place) => !(nameOf(place) in OF_NO_TENANT) && nameOf(place) !== named);
}

export type Way = 'bearer' | 'service';

/**
 * True if the route accepts this way of authentication: a user or key, or a backend that acts for a
 * user. Routes only for backends reach every tenant and are left out; public routes are tested in
 * `enumeration.spec.ts`.
 */
export const acceptsWay = ({ security }: DocumentedRoute, way: Way): boolean =>
  way === 'bearer'
    ? security.some((credentials) => credentials.join() === 'bearer')
    : security.some((credentials) => credentials.includes('actingUser')) ||
      (security.length > 1 && security.some((credentials) => credentials.join() === 'service'));

export interface Caller {
  name: string;
  client: TestClient;
  userId: string;
  /** The caller's tenant. Its ids fill all places that are not under test. */
  own: TenantContent;
}

export interface Filled {
  /** Also fills paths that are the same for everybody with the caller's own apps. */
  ownApps?: boolean;
  /** Place under test, which gets `value`. Other required places get ids of the caller's tenant. */
  place?: Place | undefined;
  value?: string | undefined;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

const bodyOf = ({ method, path }: DocumentedRoute, caller: Caller): object =>
  BODIES.get(`${method} ${path}`)?.(caller) ?? {};

/** True if the body requires this field and no content part gives a value for it. */
export const isRequiredField = (
  route: DocumentedRoute,
  caller: Caller,
  { path: [key = '', ...rest] }: Place,
): boolean => !rest.length && Boolean(route.schema?.required?.includes(key)) && !(key in bodyOf(route, caller));

/** Path, query and body of the request. */
export function fillRequest(
  route: DocumentedRoute,
  caller: Caller,
  { place, value = '', query, ownApps = false }: Filled,
) {
  const { own } = caller;
  const ownOf = (name: string): string => {
    const kind = route.path.startsWith(OF_EVERYBODY) && !ownApps ? undefined : KIND_OF.get(name);
    return (kind && own.idsOf(kind)[0]) ?? own.pathValue(route.path, name) ?? OF_APPS[name] ?? 'x';
  };
  const isHere = (where: Place['in'], name: string) => place?.in === where && nameOf(place) === name;
  const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(isHere('path', name) ? value : ownOf(name)),
  );
  const asked = route.query
    .filter(({ name, required }) => required || isHere('query', name))
    .map(({ name, schema }): [string, string] => [name, isHere('query', name) ? value : String(createSample(schema))]);
  const search = new URLSearchParams(Object.fromEntries([...asked, ...Object.entries(query ?? {})])).toString();
  const sample =
    route.schema &&
    (place?.in === 'body' ? createSampleWith(route.schema, place.path, value) : createSample(route.schema));
  const tried = place?.in === 'body' && sample ? Object.entries(sample).filter(([key]) => key === place.path[0]) : [];
  const body = sample ? { ...sample, ...bodyOf(route, caller), ...Object.fromEntries(tried) } : undefined;
  return { path, search, body };
}

export function sendFilled(route: DocumentedRoute, caller: Caller, what: Filled) {
  const { path, search, body } = fillRequest(route, caller, what);
  return caller.client.request(route.method, `${path}?${search}`, body, { headers: what.headers ?? {} });
}

/**
 * Comparable form of an answer. For successful changes only the status and keys, since the values
 * are new each time.
 */
function comparableAnswer(method: string, { status, body }: TestResponse<unknown>, sent: string): unknown {
  if (status < 300 && method !== 'GET') return { status, keys: Object.keys(body as object).sort() };
  const isRequestId = (key: string) => status >= 400 && key === 'request_id';
  return {
    status,
    body: JSON.stringify(body, (key, value: unknown) => (isRequestId(key) ? '' : value)).replaceAll(sent, '{id}'),
  };
}

function foundIn({ texts }: TenantContent, { body }: TestResponse<unknown>, sent: string): string | undefined {
  const text = JSON.stringify(body).replaceAll(sent, '');
  return texts.find((secret) => text.includes(secret));
}

type Sent = Filled & { value: string };

/**
 * Sends the request with each of the victim's ids and with an unknown id. Expects equal answers,
 * and nothing of the victim in them. @returns the statuses, and the ids that were tried, for the
 * message.
 */
export async function expectSame(
  route: DocumentedRoute,
  caller: Caller,
  victim: TenantContent,
  foreign: Sent[],
  unknown: Sent,
): Promise<{ about: unknown[]; status: number }[]> {
  const answers: { sent: Sent; found: TestResponse<unknown> }[] = [];
  for (const sent of foreign) answers.push({ sent, found: await sendFilled(route, caller, sent) });
  // The unknown id comes last, so that it also replaces a victim's id that an earlier change left
  // in the caller's data.
  const missing = await sendFilled(route, caller, unknown);
  return answers.map(({ sent, found }) => {
    const about = [caller.name, sent.place?.path.join('.'), sent.value];
    expect([...about, comparableAnswer(route.method, found, sent.value)]).toEqual([
      ...about,
      comparableAnswer(route.method, missing, unknown.value),
    ]);
    expect([...about, foundIn(victim, found, sent.value)]).toEqual([...about, undefined]);
    expect([...about, found.status === 429 || found.status >= 500]).toEqual([...about, false]);
    return { about, status: found.status };
  });
}

/** Calls `expectSame` for one place with all ids of a kind that the victim has. */
export const expectUnknown = (
  route: DocumentedRoute,
  caller: Caller,
  victim: TenantContent,
  place: Place,
  kind: string,
): Promise<{ about: unknown[]; status: number }[]> =>
  expectSame(
    route,
    caller,
    victim,
    victim.idsOf(kind).map((value) => ({ place, value })),
    { place, value: newUnknownId(kind) },
  );
