import { DEFAULT_TENANT, type AppResponse } from '@platform/contracts';
import { isDeepStrictEqual } from 'node:util';
import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { toAppResponse, type ShownApp } from './app-response.js';
import type { User } from '../../identity/accounts/user.entity.js';

interface AppEvent {
  action: string;
  /** Null for a new app. */
  before: ShownApp | null;
  /** Null for a deleted app. */
  after: ShownApp | null;
  metadata?: object;
}

/** Fields that the entry has elsewhere, or that are too long for a log. */
const OMITTED_FIELDS = new Set([
  'app_id',
  'name',
  'developer_id',
  'description',
  'long_description',
  'created_at',
  'updated_at',
]);

/**
 * Writes a change of an app to the audit log of the developer's tenant (the default tenant for an
 * app without a developer). If the status changed, it also publishes `app.status_changed` to the
 * developer.
 */
export async function recordAppAudit(
  em: EntityManager,
  { action, before, after, metadata = {} }: AppEvent,
): Promise<void> {
  const { appId, developerId } = (after ?? before) as ShownApp;
  const [owner] = await em.query<Row<User, 'tenantId'>[]>('SELECT tenant_id FROM users WHERE id = $1', [developerId]);
  const tenantId = owner?.tenant_id ?? DEFAULT_TENANT;
  const [was, is] = [before && toAppResponse(before), after && toAppResponse(after)];
  if (was && is && developerId !== null && was.status !== is.status) {
    const data = { app_id: appId, previous_status: was.status, status: is.status };
    await publishEvent(em, { type: 'app.status_changed', tenantId, userId: developerId, data });
  }
  await recordAudit(em, {
    action,
    target: { type: 'app', id: appId },
    tenantId,
    before: was && findDifferences(was, is),
    after: is && findDifferences(is, was),
    metadata: { ...metadata, developer_id: developerId },
  });
}

const findDifferences = (app: AppResponse, other: AppResponse | null): object =>
  Object.fromEntries(
    Object.entries(app).filter(
      ([key, value]) => !OMITTED_FIELDS.has(key) && !isDeepStrictEqual(value, other?.[key as keyof AppResponse]),
    ),
  );
