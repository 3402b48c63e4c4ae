import type { Surface } from '@platform/contracts';
import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { describeDevice } from '../sessions/device-name.js';
import type { Session } from '../sessions/session.entity.js';
import type { SignInRecord } from './sign-in-record.entity.js';

type SignIn = Row<SignInRecord>;
type EarlierSession = Row<Session, 'id' | 'userId' | 'userAgent' | 'createdAt'>;

/**
 * Latest sessions of a user that are compared. The number is limited because a client can start
 * many sessions with many user agents.
 */
const COMPARED_SESSIONS = 100;

interface Seen {
  sessionId: string;
  device: string;
  at: Date;
}

/**
 * Publishes the event `session.started` to the user of each successful login in `records`; failed
 * logins are skipped. The device is new if none of the user's earlier sessions has the same device
 * name; only the 100 latest sessions are compared.
 */
export async function publishSignIns(em: EntityManager, tenantId: string, records: readonly SignIn[]): Promise<void> {
  const signIns = records.filter(({ outcome }) => outcome === 'signed_in');
  if (!signIns.length) return;
  const seen = await seenOf(em, [...new Set(signIns.map(({ user_id }) => user_id as string))]);
  for (const { user_id, session_id, surface, how, user_agent, at } of signIns) {
    const [userId, sessionId, device] = [user_id as string, session_id as string, describeDevice(user_agent)];
    const isKnown =
      seen.get(userId)?.some((one) => one.device === device && one.sessionId !== sessionId && one.at < at) ?? false;
    const data = { session_id: sessionId, surface: surface as Surface, method: how, device, is_new_device: !isKnown };
    await publishEvent(em, { type: 'session.started', tenantId, userId, data });
  }
}

async function seenOf(em: EntityManager, userIds: string[]): Promise<Map<string, Seen[]>> {
  const sessions = await em.query<EarlierSession[]>(
    `SELECT s.id, s.user_id, s.user_agent, s.created_at FROM unnest($1::text[]) AS of_user (id), LATERAL (
       SELECT * FROM sessions WHERE user_id = of_user.id AND NOT registered ORDER BY created_at DESC LIMIT ${COMPARED_SESSIONS}) AS s`,
    [userIds],
  );
  const seen = new Map<string, Seen[]>();
  for (const { id, user_id, user_agent, created_at } of sessions)
    seen.set(user_id, [
      ...(seen.get(user_id) ?? []),
      { sessionId: id, device: describeDevice(user_agent), at: created_at },
    ]);
  return seen;
}
