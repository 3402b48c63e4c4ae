import { everyStepOf, type App as DocumentedApp, type AppDocument } from '@platform/app-document';
import type { NewInVersion } from '@platform/contracts';
import { hasScope } from '@platform/guards';
import type { EntityManager } from 'typeorm';

/** What a version asks for, and how people know it. */
export interface Asked {
  requested_scopes: string[];
  /** Null for a version whose manifest came from a pipeline outside. */
  document: AppDocument | null;
  approved_at: Date | null;
}

/** Of steps that do nothing outside of the run. */
const HARMLESS = new Set(['control', 'transform', 'crypto', 'log']);
const ANY_HOST = '*';
/** An address whose host no template makes. */
const ADDRESS = /^\s*https?:\/\/([^/?#{}\s]+)(?=[/?#]|\s*$)/i;
const ADDRESSES_IN_CODE = /https?:\/\/([a-z0-9.-]+(?::\d+)?)/gi;

/**
 * Whether a version of an app in the marketplace may be served by itself: null where it may. It may where it asks for nothing that the one
 * which is served does not, and keeps name and icon, or was approved before.
 */
export async function newInVersion(em: EntityManager, appId: string, served: string | null, version: string): Promise<NewInVersion | null> {
  const rows = await em.query<(Asked & { version: string })[]>(
    'SELECT version, requested_scopes, document, approved_at FROM app_versions WHERE app_id = $1 AND version = ANY ($2)',
    [appId, [version, served]],
  );
  const [next, before] = [version, served].map((one) => rows.find((row) => row.version === one));
  return next && next.approved_at === null && before ? whatIsNew(before, next) : null;
}

/** Null for nothing. */
export function whatIsNew(before: Asked, next: Asked): NewInVersion | null {
  const [was, is] = [before.document?.app, next.document?.app];
  const found = {
    scopes: next.requested_scopes.filter((scope) => !hasScope(before.requested_scopes, scope)),
    hosts: added(hostsOf(was), hostsOf(is)),
    // Those that are scopes are named as such.
    capabilities: added(capabilitiesOf(was), capabilitiesOf(is)).filter((one) => !next.requested_scopes.includes(one.replace('.', ':'))),
    events: eventsOf(is).filter((type) => !eventsOf(was).some((known) => covers(known, type))),
    name: was && is && was.title !== is.title ? is.title : null,
    icon: was !== undefined && is !== undefined && is.icon !== null && is.icon !== was.icon,
  };
  const isAny = found.scopes.length + found.hosts.length + found.capabilities.length + found.events.length > 0;
  return isAny || found.name !== null || found.icon ? found : null;
}

const added = (before: ReadonlySet<string>, next: ReadonlySet<string>): string[] =>
  before.has(ANY_HOST) ? [] : [...next].filter((one) => !before.has(one)).sort();

function hostsOf(app: DocumentedApp | undefined): Set<string> {
  if (!app) return new Set();
  const requests = everyStepOf(app).filter(({ kind }) => kind === 'http');
  const hosts = requests.map(({ params: { url } }) => (typeof url === 'string' ? (ADDRESS.exec(url)?.[1] ?? ANY_HOST) : ANY_HOST));
  const inCode = Object.values(app.modules ?? {}).flatMap(({ source }) =>
    [...source.matchAll(ADDRESSES_IN_CODE)].map((match) => match[1] ?? ''),
  );
  const redirects = app.webhooks.flatMap(({ redirect_hosts: listed = [] }) => listed);
  return new Set([...hosts, ...inCode, ...redirects].map((host) => host.toLowerCase()));
}

function capabilitiesOf(app: DocumentedApp | undefined): Set<string> {
  if (!app) return new Set();
  const used = everyStepOf(app)
    .map(({ kind }) => kind as string)
    .filter((kind) => !HARMLESS.has(kind));
  return new Set([...app.capabilities, ...used, ...(app.modules ? ['code'] : [])]);
}

const eventsOf = (app: DocumentedApp | undefined): string[] => [...new Set(app?.events.subscribes.map(({ type }) => type) ?? [])].sort();

/** `tasks.*` covers `tasks.made`. */
const covers = (known: string, type: string): boolean => known === type || (known.endsWith('.*') && type.startsWith(known.slice(0, -1)));
