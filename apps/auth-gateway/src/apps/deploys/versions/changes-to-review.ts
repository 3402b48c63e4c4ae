import {
  ANY_HOST,
  everyStep,
  everyStepOf,
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
import { findListingChanges } from '../../model/listing-changes.js';

/** Columns with the permissions that a version requests. */
const PERMISSION_COLUMNS = columns(AppVersion, ['version', 'requestedScopes', 'hosts', 'capabilities', 'approvedAt']);

/** `hosts` and `capabilities` are the limits that the host enforces; null without a document. */
export interface RequestedPermissions extends Omit<RowOf<typeof PERMISSION_COLUMNS>, 'version'> {
  /** Null if an external pipeline recorded only a manifest. */
  document: AppDocument | null;
}

/**
 * Steps that read user data or results derived from it: from the app, its secrets, other functions
 * or other servers.
 */
const READING: ReadonlySet<StepKind> = new Set(['store', 'cache', 'config', 'secret', 'http', 'call', 'ai']);

/** An app in the marketplace; its row is locked. */
export interface ServedApp {
  appId: string;
  servedVersion: string | null;
  displayName: string;
  iconSvg: string | null;
}

/**
 * Decides if a version of an app in the marketplace needs a review before it is served. Returns the
 * changes to review. Null if no review is needed: the version was approved before, there is no
 * served version, or it requests nothing more than the served version and keeps the name and icon
 * of the listing.
 *
 * @param iconSvg the new icon of the app; null keeps the present one.
 */
export async function findChangesToReview(
  em: EntityManager,
  app: ServedApp,
  version: string,
  iconSvg: string | null,
): Promise<NewInVersion | null> {
  const rows = await em.query<(RequestedPermissions & RowOf<typeof PERMISSION_COLUMNS>)[]>(
    `SELECT ${PERMISSION_COLUMNS}, document FROM app_versions WHERE app_id = $1 AND version = ANY ($2)`,
    [app.appId, [version, app.servedVersion]],
  );
  const [next, before] = [version, app.servedVersion].map((one) => rows.find((row) => row.version === one));
  if (!next || next.approved_at !== null || !before) return null;
  const { displayName = app.displayName } = await findListingChanges(em, app, version);
  const name = displayName === app.displayName ? null : displayName;
  const icon = iconSvg !== null && iconSvg !== app.iconSvg;
  const asked = comparePermissions(before, next);
  return name !== null || icon || Object.values(asked).some((list) => list.length) ? { ...asked, name, icon } : null;
}

/**
 * Returns the permissions that `next` requests beyond `before`, and its other changes that need a
 * review. A list is empty if nothing of its kind is new.
 */
export function comparePermissions(
  before: RequestedPermissions,
  next: RequestedPermissions,
): Omit<NewInVersion, 'name' | 'icon'> {
  const [was, is] = [before.document?.app, next.document?.app];
  return {
    scopes: next.requested_scopes.filter((scope) => !hasScope(before.requested_scopes, scope)),
    hosts: [...new Set([...addedHosts(before, next), ...added(redirectsOf(was), redirectsOf(is))])].sort(),
    // A capability that equals a requested scope is listed there already.
    capabilities: added(getReviewedCapabilities(before), getReviewedCapabilities(next)).filter(
      (one) => !next.requested_scopes.includes(one.replace('.', ':')),
    ),
    events: eventsOf(is).filter((type) => !eventsOf(was).some((known) => covers(known, type))),
    webhooks: [
      ...new Set([...added(webhooksOf(was), webhooksOf(is)), ...added(answeringOf(was), answeringOf(is))]),
    ].sort(),
    schedules: [
      ...new Set([...(schedulesOf(was).length ? [] : schedulesOf(is)), ...findNewUserSchedules(was, is)]),
    ].sort(),
    functions: findLoosenedFunctions(was, is),
  };
}

/**
 * Names of the functions that demand less from the caller than before: a weaker action type, which
 * needs fewer confirmations, or fewer scopes. New functions do not count.
 */
function findLoosenedFunctions(was: DocumentedApp | undefined, is: DocumentedApp | undefined): string[] {
  const before = new Map(was?.functions.map((one) => [one.name, one]));
  const isLooser = ({
    name,
    action_type: type,
    required_scopes: scopes,
  }: DocumentedApp['functions'][number]): boolean => {
    const old = before.get(name);
    if (!old) return false;
    const isWeaker = old.action_type !== type && stronger(old.action_type, type) === old.action_type;
    return isWeaker || old.required_scopes.some((scope) => !scopes.includes(scope));
  };
  return (is?.functions ?? []).filter(isLooser).map(({ name }) => name);
}

const added = (before: ReadonlySet<string>, next: ReadonlySet<string>): string[] =>
  [...next].filter((one) => !before.has(one)).sort();

function addedHosts(before: RequestedPermissions, next: RequestedPermissions): string[] {
  const known = new Set(before.hosts);
  return known.has(ANY_HOST) ? [] : added(known, new Set(next.hosts));
}

const redirectsOf = (app: DocumentedApp | undefined): Set<string> =>
  new Set(app?.webhooks.flatMap(({ redirect_hosts: listed = [] }) => listed));

/**
/**
 * Capabilities (parts of `ctx`) that the version can use, those that the document declares,
 * including those that the host does not know, `ui` if the app has an interface, and `code` if it
 * has code. Empty for a version without a document.
 */
function getReviewedCapabilities({ document, capabilities }: RequestedPermissions): Set<string> {
  const app = document?.app;
  if (!app) return new Set();
  const ui = everyStepOf(app).some(({ kind }) => kind === 'ui') ? ['ui'] : [];
  return new Set([...app.capabilities, ...ui, ...(app.modules ? ['code'] : []), ...(capabilities ?? [])]);
}

/**
 * Webhooks with handlers that read data, as `POST orders`. Anyone can call a webhook, so a new one
 * could give reviewed code a way to leak data without a new host.
 *
 * @param answering true to leave out webhooks with an inbox, which answer before their handler
 * runs.
 */
const webhooksOf = (app: DocumentedApp | undefined, answering = false): Set<string> =>
  new Set(
    app?.webhooks
      .filter(({ impl, inbox }) => reads(impl) && !(answering && inbox))
      .flatMap((webhook) => methodsOf(webhook).map((method) => `${method} ${webhook.path}`)),
  );

/**
 * Webhooks that read data and answer with the result of their handler, not with the immediate
 * answer of the platform.
 */
const answeringOf = (app: DocumentedApp | undefined): Set<string> => webhooksOf(app, true);

const schedulesOf = (app: DocumentedApp | undefined): string[] =>
  (app?.schedules ?? []).filter(({ impl }) => reads(impl)).map(({ name }) => name);

/**
 * Schedules that now run for each user of a collection and did not before, or used another
 * collection.
 */
function findNewUserSchedules(was: DocumentedApp | undefined, is: DocumentedApp | undefined): string[] {
  const before = new Map(was?.schedules.map(({ name, for_each_user: collection }) => [name, collection]));
  const isNew = ({ name, for_each_user: collection }: DocumentedApp['schedules'][number]) =>
    collection && before.get(name) !== collection;
  return (is?.schedules ?? []).filter(isNew).map(({ name }) => name);
}

/** True if a handler can read data of users or other servers. Code always can. */
const reads = (impl: Implementation): boolean =>
  impl.kind === 'code' || [...everyStep(impl.steps)].some(({ kind }) => READING.has(kind));

const eventsOf = (app: DocumentedApp | undefined): string[] =>
  [...new Set(app?.events.subscribes.map(({ type }) => type) ?? [])].sort();

/** True if an app that gets the event `known` also gets `type`: `tasks.*` covers `tasks.made`. */
const covers = (known: string, type: string): boolean =>
  known === type || (known.endsWith('.*') && type.startsWith(known.slice(0, -1)));
