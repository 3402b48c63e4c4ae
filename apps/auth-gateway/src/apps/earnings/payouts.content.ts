import { newId } from '@platform/platform';
import { numberedKind, type ContentPart } from '../../testing/content-part.js';

export const content: ContentPart = {
  kinds: { payout: numberedKind('payouts', ['payout_id']) },
  bodies: {
    'POST /v1/developer/payouts': () => ({ amount: 10_000 }),
    'POST /v1/developer/payouts/request': () => ({ amount: 10_000 }),
    'PUT /v1/developer/payout-destination': () => ({ method: 'x', details: 'x', current_password: 'not the password' }),
  },
  /** Creates paid payouts: an open payout would block the deletion of the accounts. */
  async create(content) {
    for (const { id } of content.people) {
      const notes = newId('text');
      const [payout] = await content.gateway.service.query<{ id: string }>(
        `INSERT INTO payouts (tenant_id, developer_id, amount_tokens, usd_cents, notes, status, reference, processed_at)
         VALUES ($1, $2, 10000, 1000, $3, 'paid', 'x', now()) RETURNING id`,
        [content.tenantId, id, notes],
      );
      // Without details, because only the service can encrypt them.
      await content.gateway.service.query(
        'INSERT INTO payout_destinations (id, tenant_id, user_id, method) VALUES ($1, $2, $3, $4)',
        [newId('pod'), content.tenantId, id, 'bank transfer'],
      );
      content.idsOf('payout').push(String(payout?.id));
      content.texts.push(notes);
    }
  },
};
