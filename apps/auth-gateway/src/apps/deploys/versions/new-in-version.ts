import {
  ANY_HOST,
  everyStep,
  everyStepOf,
  hostsOf,
  DECLARABLE_CAPABILITIES,
  capabilitiesOf,
  methodsOf,
  stronger,
  type App as DocumentedApp,
  type AppDocument,
  type Implementation,
  type StepKind,
} from '@platform/app-document';
import type { NewInVersion } from '@platform/contracts';
import { hasScope } from '@platform/guards';
import { columns, type RowOf } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { AppVersion } from '../../model/app-version.entity.js';
import { listingChanges } from '../../model/listing-of-document.js';

/** What a version asks for. */
const ASKED = columns(AppVersion, ['version', 'requestedScopes', 'hosts', 'capabilities', 'approvedAt']);

/** `hosts` and `capabilities`: what the host holds it to. Null for a version that is held to nothing: it is from before there were lists, or has no document. */
export interface Asked extends Omit<RowOf<typeof ASKED>, 'version'> {
  /** Null for a version whose manifest came from a pipeline outside. */
  document: AppDocument | null;
}

/** Steps that get what users keep, or what comes of it: from the app, its secrets, other functions or elsewhere. */
const READING: ReadonlySet<StepKind> = new Set(['store', 'cache', 'config', 'secret', 'http', 'call', 'ai']);

/** An app in the marketplace, as its row is locked. */
export interface ServedApp {
  appId: string;
  servedVersion: string | null;
  displayName: string;
  iconSvg: string | null;
}

/**
 * Whether a version of an app in the marketplace may be served by itself: null where it may. It may where it asks for nothing that the one
 * which is served does not, and keeps name and icon of the listing, or was approved before.
 *
 * @param iconSvg what would be the app's icon; null keeps it.
 */
export async function newInVersion(
  em: EntityManager,
  app: ServedApp,
  version: string,
  iconSvg: string | null,
): Promise<NewInVersion | null> {
  const rows = await em.query<(Asked & RowOf<typeof ASKED>)[]>(
    `SELECT ${ASKED}, document FROM app_versions WHERE app_id = $1 AND version = ANY ($2)`,
    [app.appId, [version, app.servedVersion]],
  );
  const [next, before] = [version, app.servedVersion].map((one) => rows.find((row) => row.version === one));
  if (!next || next.approved_at !== null || !before) return null;
  const { displayName = app.displayName } = await listingChanges(em, app, version);
  const name = displayName === app.displayName ? null : displayName;
  const icon = iconSvg !== null && iconSvg !== app.iconSvg;
  const asked = whatIsAsked(before, next);
  return name !== null || icon || Object.values(asked).some((list) => list.length) ? { ...asked, name, icon } : null;
}

/** What the next version asks for and the one before does not. */
export function whatIsAsked(before: Asked, next: Asked): Omit<NewInVersion, 'name' | 'icon'> {
  const [was, is] = [before.document?.app, next.document?.app];
  return {
    scopes: next.requested_scopes.filter((scope) => !hasScope(before.requested_scopes, scope)),
    hosts: [...new Set([...addedHosts(before, next), ...added(redirectsOf(was), redirectsOf(is))])].sort(),
    // Those that are scopes are named as such.
    capabilities: added(capabilitiesAsked(before), capabilitiesToApprove(next)).filter(
      (one) => !next.requested_scopes.includes(one.replace('.', ':')),
    ),
    events: eventsOf(is).filter((type) => !eventsOf(was).some((known) => covers(known, type))),
    webhooks: [...new Set([...added(webhooksOf(was), webhooksOf(is)), ...added(answeringOf(was), answeringOf(is))])].sort(),
    schedules: [...new Set([...(schedulesOf(was).length ? [] : schedulesOf(is)), ...newlyForUsers(was, is)])].sort(),
    functions: loosened(was, is),
  };
}

/** Functions that would be called with less asked of the caller: a weaker action type, of which fewer are confirmed, or a scope less. */
function loosened(was: DocumentedApp | undefined, is: DocumentedApp | undefined): string[] {
  const before = new Map(was?.functions.map((one) => [one.name, one]));
  const isLooser = ({ name, action_type: type, required_scopes: scopes }: DocumentedApp['functions'][number]): boolean => {
    const old = before.get(name);
    if (!old) return false;
    const isWeaker = old.action_type !== type && stronger(old.action_type, type) === old.action_type;
    return isWeaker || old.required_scopes.some((scope) => !scopes.includes(scope));
  };
  return (is?.functions ?? []).filter(isLooser).map(({ name }) => name);
}

const added = (before: ReadonlySet<string>, next: ReadonlySet<string>): string[] => [...next].filter((one) => !before.has(one)).sort();

function addedHosts(before: Asked, next: Asked): string[] {
  const known = new Set(hostsAsked(before));
  return known.has(ANY_HOST) ? [] : added(known, new Set(hostsToApprove(next)));
}

/** Where a version would be let: its list. Without one anywhere, if it has code; without code to the addresses of its steps. */
const hostsToApprove = (version: Asked): string[] => version.hosts ?? (version.document?.app.modules ? [ANY_HOST] : hostsAsked(version));

/** What whoever approved a version saw: its list, or the addresses that stand in a document without one. */
const hostsAsked = ({ hosts, document }: Asked): string[] => hosts ?? (document ? hostsOf(document.app) : []);

const redirectsOf = (app: DocumentedApp | undefined): Set<string> =>
  new Set(app?.webhooks.flatMap(({ redirect_hosts: listed = [] }) => listed));

/** Those that a version would have: its list. Without one all, if it has code; without code those that its steps use. */
const capabilitiesToApprove = (version: Asked): Set<string> =>
  withDeclared(version, version.capabilities ?? (version.document?.app.modules ? DECLARABLE_CAPABILITIES : capabilitiesFound(version)));

/** Those that whoever approved a version saw: its list, or those that stand in a document without one. */
const capabilitiesAsked = (version: Asked): Set<string> => withDeclared(version, capabilitiesFound(version));

const capabilitiesFound = ({ capabilities, document }: Asked): readonly string[] =>
  capabilities ?? (document ? capabilitiesOf(document.app) : []);

/** And what a document declares that the host knows nothing of, its interface, and code as such. */
function withDeclared({ document }: Asked, capabilities: readonly string[]): Set<string> {
  const app = document?.app;
  if (!app) return new Set();
  const ui = everyStepOf(app).some(({ kind }) => kind === 'ui') ? ['ui'] : [];
  return new Set([...app.capabilities, ...ui, ...(app.modules ? ['code'] : []), ...capabilities]);
}

/**
 * Ways into what reads: anybody may call a webhook, and a schedule runs for no user, or as each. Through a new one code that was reviewed could give away
 * what it reads without a new host.
 */
const webhooksOf = (app: DocumentedApp | undefined, answering = false): Set<string> =>
  new Set(
    app?.webhooks
      .filter(({ impl, inbox }) => reads(impl) && !(answering && inbox))
      .flatMap((webhook) => methodsOf(webhook).map((method) => `${method} ${webhook.path}`)),
  );

/** Those whose handlers answer, and not the platform at once. */
const answeringOf = (app: DocumentedApp | undefined): Set<string> => webhooksOf(app, true);

const schedulesOf = (app: DocumentedApp | undefined): string[] =>
  (app?.schedules ?? []).filter(({ impl }) => reads(impl)).map(({ name }) => name);

/** Those that run as each user, and did not, or as those of another collection. */
function newlyForUsers(was: DocumentedApp | undefined, is: DocumentedApp | undefined): string[] {
  const before = new Map(was?.schedules.map(({ name, for_each_user: collection }) => [name, collection]));
  const isNew = ({ name, for_each_user: collection }: DocumentedApp['schedules'][number]) => collection && before.get(name) !== collection;
  return (is?.schedules ?? []).filter(isNew).map(({ name }) => name);
}

/** Of code nobody can say that it does not. */
const reads = (impl: Implementation): boolean => impl.kind === 'code' || [...everyStep(impl.steps)].some(({ kind }) => READING.has(kind));

const eventsOf = (app: DocumentedApp | undefined): string[] => [...new Set(app?.events.subscribes.map(({ type }) => type) ?? [])].sort();

/** `tasks.*` covers `tasks.made`. */
const covers = (known: string, type: string): boolean => known === type || (known.endsWith('.*') && type.startsWith(known.slice(0, -1)));
