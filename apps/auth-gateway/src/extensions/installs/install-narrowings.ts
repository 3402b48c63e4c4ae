import { lastingNarrowing, narrower, type GivenKey, type Narrowing, type UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import type { EntityManager } from 'typeorm';

/** Longer than a change at the Registry could go unheard of. Where its answer was lost, the user's own changes of that app are as narrow until then. */
export const NARROWING_COUNTS_FOR = '1 day';

/** A change by an API key that is under way, or what was lost of such changes. */
export interface NotedChange {
  /** Null for all that were lost. */
  id: string | null;
  narrowing: Narrowing;
  /** When it began, or the last of them was lost. */
  at: string;
}

/** A change that is noted, until `forgetNarrowing` or `loseNarrowing`. */
export interface NarrowedChange {
  id: string;
  user: UserCaller;
  appId: string;
  narrowing: Narrowing;
}

/**
 * Notes how far a caller reaches who is about to change an install at the Registry. From there it may become known here in another way
 * first, and what it causes must get no more then, either. Commit it before the Registry is asked. Null for who reaches as far as the user.
 */
export async function noteNarrowing(em: EntityManager, user: UserCaller, appId: string): Promise<NarrowedChange | null> {
  const narrowing = lastingNarrowing(user);
  if (!narrowing) return null;
  const change = { id: newId('inn'), user, appId, narrowing };
  await em.transaction(async (inner) => {
    // Makes the row or waits for it, so that of two at once each sees the other.
    const [row] = await new TenantData(inner, user.tenantId).query<NotedRow>(
      `INSERT INTO install_narrowings AS n (id, tenant_id, user_id, app_id, narrowing, changes) VALUES ($1, $tenant, $2, $3, $4, '[]')
       ON CONFLICT (tenant_id, user_id, app_id) WHERE changes IS NOT NULL DO UPDATE SET created_at = now() RETURNING ${NOTED}`,
      [change.id, user.userId, appId, JSON.stringify(narrowing)],
    );
    if (row) await keep(inner, change, row, [...row.changes, { id: change.id, narrowing, at: row.at }]);
  });
  return change;
}

/** Once the change is known here, or there is none; inside a transaction. Others that are under way stay noted. */
export async function forgetNarrowing(em: EntityManager, change: NarrowedChange | null): Promise<void> {
  const row = change && (await locked(em, change));
  if (row) await keep(em, change, row, without(row.changes, change.id));
}

/** When nobody knows whether the change was made; inside a transaction. It counts for its time from now on. All that were lost are kept as one. */
export async function loseNarrowing(em: EntityManager, change: NarrowedChange): Promise<void> {
  const row = await locked(em, change);
  if (!row) return;
  const others = without(row.changes, change.id);
  const narrowing = narrower(change.narrowing, others.find(({ id }) => id === null)?.narrowing ?? null);
  await keep(em, change, row, [...without(others, null), { id: null, narrowing, at: row.at }]);
}

interface NotedRow {
  id: string;
  /** Those that still count. */
  changes: NotedChange[];
  at: string;
}

const NOTED = `id, to_jsonb(now()) AS at, (SELECT coalesce(jsonb_agg(c), '[]') FROM jsonb_array_elements(n.changes) c
  WHERE (c ->> 'at')::timestamptz > now() - interval '${NARROWING_COUNTS_FOR}') AS changes`;

async function locked(em: EntityManager, { user, appId }: NarrowedChange): Promise<NotedRow | undefined> {
  const [row] = await new TenantData(em, user.tenantId).query<NotedRow>(
    `SELECT ${NOTED} FROM install_narrowings n WHERE tenant_id = $tenant AND user_id = $1 AND app_id = $2 AND changes IS NOT NULL FOR UPDATE`,
    [user.userId, appId],
  );
  return row;
}

const without = (changes: readonly NotedChange[], id: string | null): NotedChange[] => changes.filter((change) => change.id !== id);

async function keep(em: EntityManager, { user }: NarrowedChange, { id }: NotedRow, changes: readonly NotedChange[]): Promise<void> {
  const tenant = new TenantData(em, user.tenantId);
  const narrowing = changes.map((change) => change.narrowing).reduce<Narrowing | null>(narrower, null);
  if (!narrowing) await tenant.query('DELETE FROM install_narrowings WHERE tenant_id = $tenant AND id = $1', [id]);
  else
    await tenant.query(
      `UPDATE install_narrowings SET narrowing = $2, changes = $3, created_at = (SELECT max((c ->> 'at')::timestamptz) FROM jsonb_array_elements($3) c)
       WHERE tenant_id = $tenant AND id = $1`,
      [id, JSON.stringify(narrowing), JSON.stringify(changes)],
    );
}

interface OfUser {
  user_id: string;
  app_id: string;
}

/** As the Registry has it. */
interface ChangedInstall extends OfUser {
  /** The API key that changed it there; null without one. */
  changed_by: GivenKey | null;
}

/** How far the changes of an install reach; null for as far as its user. */
export type NarrowingOf = (install: OfUser) => Narrowing | null;

/** For these installs: of a change by an API key at the Registry and of all that are under way here, as far as each of them does. */
export async function narrowingsOf(em: EntityManager, installs: readonly ChangedInstall[]): Promise<NarrowingOf> {
  const noted = await em.query<(OfUser & { narrowing: Narrowing })[]>(
    `SELECT n.user_id, n.app_id, n.narrowing FROM unnest($1::text[], $2::text[]) AS i (user_id, app_id)
       JOIN install_narrowings n ON n.user_id = i.user_id AND n.app_id = i.app_id AND n.created_at > now() - interval '${NARROWING_COUNTS_FOR}'`,
    [installs.map(({ user_id }) => user_id), installs.map(({ app_id }) => app_id)],
  );
  const known = new Map<string, Narrowing | null>();
  for (const { changed_by: key, ...install } of installs) known.set(nameOf(install), key && { scopes: key.scopes, key });
  for (const { narrowing, ...install } of noted) known.set(nameOf(install), narrower(known.get(nameOf(install)) ?? null, narrowing));
  return (install) => known.get(nameOf(install)) ?? null;
}

const nameOf = ({ user_id, app_id }: OfUser): string => `${user_id} ${app_id}`;
