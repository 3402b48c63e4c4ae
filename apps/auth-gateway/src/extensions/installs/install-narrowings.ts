import {
  lastingNarrowing,
  intersectNarrowings,
  type OriginKey,
  type Narrowing,
  type UserCaller,
} from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import type { EntityManager } from 'typeorm';

/**
 * Longer than a change at the Registry can stay unknown here. If the result of a change was lost,
 * the user's own changes of that app have the same limit for this time.
 */
export const NARROWING_LIFETIME = '1 day';

/** A change by an API key that is in progress, or all such changes with a lost result. */
export interface StoredChange {
  /** Null for the entry of all lost results. */
  id: string | null;
  narrowing: Narrowing;
  /** Start of the change, or the time at which the last result was lost. */
  at: string;
}

/** A change that is noted until `deleteNarrowing` or `extendNarrowing`. */
export interface NarrowedChange {
  id: string;
  user: UserCaller;
  appId: string;
  narrowing: Narrowing;
}

/**
 * Stores the permission limit of an API key that is about to change an installation at the
 * Registry. The change may become known here in another way first, and its effects must have the
 * same limit then. Commit this before the request to the Registry. Returns the stored change; null
 * for a caller without a limit, for which nothing is stored.
 */
export async function storeNarrowing(
  em: EntityManager,
  user: UserCaller,
  appId: string,
): Promise<NarrowedChange | null> {
  const narrowing = lastingNarrowing(user);
  if (!narrowing) return null;
  const change = { id: newId('inn'), user, appId, narrowing };
  await em.transaction(async (inner) => {
    // Inserts the row or waits for its lock, so that concurrent changes see each other.
    const [row] = await new TenantData(inner, user.tenantId).query<NarrowingRow>(
      `INSERT INTO install_narrowings AS n (id, tenant_id, user_id, app_id, narrowing, changes) VALUES ($1, $tenant, $2, $3, $4, '[]')
       ON CONFLICT (tenant_id, user_id, app_id) DO UPDATE SET created_at = now() RETURNING ${NARROWING_COLUMNS}`,
      [change.id, user.userId, appId, JSON.stringify(narrowing)],
    );
    if (row) await saveChanges(inner, change, row, [...row.changes, { id: change.id, narrowing, at: row.at }]);
  });
  return change;
}

/**
 * Deletes the limit that `storeNarrowing` stored, once the change is known here or was not made;
 * does nothing for null. Call it inside a transaction. Limits of other changes stay.
 */
export async function deleteNarrowing(em: EntityManager, change: NarrowedChange | null): Promise<void> {
  const row = change && (await lockNarrowing(em, change));
  if (row) await saveChanges(em, change, row, without(row.changes, change.id));
}

/**
 * Keeps the limit that `storeNarrowing` stored for one more day, because it is unknown if the
 * change was made. Call it inside a transaction. The limits of all such changes of an installation
 * become one common limit.
 */
export async function extendNarrowing(em: EntityManager, change: NarrowedChange): Promise<void> {
  const row = await lockNarrowing(em, change);
  if (!row) return;
  const others = without(row.changes, change.id);
  const narrowing = intersectNarrowings(change.narrowing, others.find(({ id }) => id === null)?.narrowing ?? null);
  await saveChanges(em, change, row, [...without(others, null), { id: null, narrowing, at: row.at }]);
}

interface NarrowingRow {
  id: string;
  /** Changes that still count. */
  changes: StoredChange[];
  at: string;
}

const NARROWING_COLUMNS = `id, to_jsonb(now()) AS at, (SELECT coalesce(jsonb_agg(c), '[]') FROM jsonb_array_elements(n.changes) c
  WHERE (c ->> 'at')::timestamptz > now() - interval '${NARROWING_LIFETIME}') AS changes`;

async function lockNarrowing(em: EntityManager, { user, appId }: NarrowedChange): Promise<NarrowingRow | undefined> {
  const [row] = await new TenantData(em, user.tenantId).query<NarrowingRow>(
    `SELECT ${NARROWING_COLUMNS} FROM install_narrowings n WHERE tenant_id = $tenant AND user_id = $1 AND app_id = $2 FOR UPDATE`,
    [user.userId, appId],
  );
  return row;
}

const without = (changes: readonly StoredChange[], id: string | null): StoredChange[] =>
  changes.filter((change) => change.id !== id);

async function saveChanges(
  em: EntityManager,
  { user }: NarrowedChange,
  { id }: NarrowingRow,
  changes: readonly StoredChange[],
): Promise<void> {
  const tenant = new TenantData(em, user.tenantId);
  const narrowing = changes.map((change) => change.narrowing).reduce<Narrowing | null>(intersectNarrowings, null);
  if (!narrowing) await tenant.query('DELETE FROM install_narrowings WHERE tenant_id = $tenant AND id = $1', [id]);
  else
    await tenant.query(
      `UPDATE install_narrowings SET narrowing = $2, changes = $3, created_at = (SELECT max((c ->> 'at')::timestamptz) FROM jsonb_array_elements($3) c)
       WHERE tenant_id = $tenant AND id = $1`,
      [id, JSON.stringify(narrowing), JSON.stringify(changes)],
    );
}

interface UserInstall {
  user_id: string;
  app_id: string;
}

/** An installation as the Registry reports it. */
interface ChangedInstall extends UserInstall {
  /** API key that changed it there; null without one. */
  changed_by: OriginKey | null;
}

/** Permission limit of the changes of an installation. Null: no limit. */
export type NarrowingLookup = (install: UserInstall) => Narrowing | null;

/**
 * Returns a function with the permission limit of each of these installations: the common limit of
 * the API key that changed it at the Registry and of the changes that `storeNarrowing` stored.
 */
export async function loadNarrowings(em: EntityManager, installs: readonly ChangedInstall[]): Promise<NarrowingLookup> {
  const noted = await em.query<(UserInstall & { narrowing: Narrowing })[]>(
    `SELECT n.user_id, n.app_id, n.narrowing FROM unnest($1::text[], $2::text[]) AS i (user_id, app_id)
       JOIN install_narrowings n ON n.user_id = i.user_id AND n.app_id = i.app_id AND n.created_at > now() - interval '${NARROWING_LIFETIME}'`,
    [installs.map(({ user_id }) => user_id), installs.map(({ app_id }) => app_id)],
  );
  const known = new Map<string, Narrowing | null>();
  for (const { changed_by: key, ...install } of installs)
    known.set(nameOf(install), key && { scopes: key.scopes, key });
  for (const { narrowing, ...install } of noted)
    known.set(nameOf(install), intersectNarrowings(known.get(nameOf(install)) ?? null, narrowing));
  return (install) => known.get(nameOf(install)) ?? null;
}

const nameOf = ({ user_id, app_id }: UserInstall): string => `${user_id} ${app_id}`;
