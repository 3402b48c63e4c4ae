import { lastingNarrowing, narrower, type Narrowing, type UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import type { EntityManager } from 'typeorm';

/** Longer than a change at the Registry could go unheard of. Where its answer was lost, the user's own changes of that app are as narrow until then. */
export const NARROWING_COUNTS_FOR = '1 day';

/**
 * Notes how far a caller reaches who is about to change an install at the Registry. From there it may become known here in another way
 * first, and what it causes must get no more then, either. Commit it before the Registry is asked. Null for who reaches as far as the user.
 */
export async function noteNarrowing(em: EntityManager, user: UserCaller, appId: string): Promise<string | null> {
  const narrowing = lastingNarrowing(user);
  if (!narrowing) return null;
  const id = newId('inn');
  await new TenantData(em, user.tenantId).query(
    'INSERT INTO install_narrowings (id, tenant_id, user_id, app_id, narrowing) VALUES ($1, $tenant, $2, $3, $4)',
    [id, user.userId, appId, JSON.stringify(narrowing)],
  );
  return id;
}

/** Once the change is known here, or there is none. */
export async function forgetNarrowing(em: EntityManager, { tenantId }: UserCaller, id: string | null): Promise<void> {
  if (id !== null) await new TenantData(em, tenantId).query('DELETE FROM install_narrowings WHERE tenant_id = $tenant AND id = $1', [id]);
}

interface OfUser {
  user_id: string;
  app_id: string;
}

/** How far the changes of these installs reach, in their order: of several changes that are under way, as far as all of them do. */
export async function narrowingsOf(em: EntityManager, installs: readonly OfUser[]): Promise<(Narrowing | null)[]> {
  if (!installs.length) return [];
  const noted = await em.query<(OfUser & { narrowing: Narrowing })[]>(
    `SELECT n.user_id, n.app_id, n.narrowing FROM unnest($1::text[], $2::text[]) AS i (user_id, app_id)
       JOIN install_narrowings n ON n.user_id = i.user_id AND n.app_id = i.app_id AND n.created_at > now() - interval '${NARROWING_COUNTS_FOR}'`,
    [installs.map(({ user_id }) => user_id), installs.map(({ app_id }) => app_id)],
  );
  const known = new Map<string, Narrowing | null>();
  for (const { narrowing, ...install } of noted) known.set(keyOf(install), narrower(known.get(keyOf(install)) ?? null, narrowing));
  return installs.map((install) => known.get(keyOf(install)) ?? null);
}

const keyOf = ({ user_id, app_id }: OfUser): string => `${user_id} ${app_id}`;
