import { DEFAULT_TENANT, type AppResponse } from '@platform/contracts';
import { isDeepStrictEqual } from 'node:util';
import type { Row } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { toAppResponse, type ShownApp } from './app-response.js';
import type { User } from '../../identity/accounts/user.entity.js';

interface AppEvent {
  action: string;
  /** Null for an app that is new. */
  before: ShownApp | null;
  /** Null for one that is gone. */
  after: ShownApp | null;
  metadata?: object;
}

/** Said twice, by the entry itself, or too long for a log. */
const UNSAID = new Set(['app_id', 'name', 'developer_id', 'description', 'long_description', 'created_at', 'updated_at']);

/** Writes what became of an app to the audit log, in the tenant of its developer. */
export async function recordAppAudit(em: EntityManager, { action, before, after, metadata = {} }: AppEvent): Promise<void> {
  const { appId, developerId } = (after ?? before) as ShownApp;
  const [owner] = await em.query<Row<User, 'tenantId'>[]>('SELECT tenant_id FROM users WHERE id = $1', [developerId]);
  const [was, is] = [before && toAppResponse(before), after && toAppResponse(after)];
  await recordAudit(em, {
    action,
    target: { type: 'app', id: appId },
    tenantId: owner?.tenant_id ?? DEFAULT_TENANT,
    before: was && whatDiffers(was, is),
    after: is && whatDiffers(is, was),
    metadata: { ...metadata, developer_id: developerId },
  });
}

const whatDiffers = (app: AppResponse, other: AppResponse | null): object =>
  Object.fromEntries(
    Object.entries(app).filter(([key, value]) => !UNSAID.has(key) && !isDeepStrictEqual(value, other?.[key as keyof AppResponse])),
  );
