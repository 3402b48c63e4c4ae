import type { PayoutResponse } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';

/**
 * Publishes the event `payout.changed` with the status of a payout to its developer, in the
 * transaction that changed it.
 */
export const publishPayoutChange = (
  em: EntityManager,
  { tenantId, userId }: { tenantId: string; userId: string },
  { id, status, amount_tokens }: PayoutResponse,
): Promise<boolean> =>
  publishEvent(em, { type: 'payout.changed', tenantId, userId, data: { payout_id: id, status, amount_tokens } });
