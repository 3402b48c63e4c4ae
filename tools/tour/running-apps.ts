import type { BatchCallRequest, CallResponse, WebhookDeliveriesResponse, WebhookDelivery } from '@platform/contracts';
import { createHmac, randomBytes } from 'node:crypto';
import type { Tour } from './tour.js';

interface InstalledApp {
  appId: string;
  userId: string;
  token: string;
}

/** Calls functions of an installed app, and sends it a signed webhook as an external system. */
export async function runningApps(tour: Tour, { appId, userId, token }: InstalledApp): Promise<void> {
  const user = { user_id: userId };

  tour.step('Call its functions');
  const url = 'https://example.com/to-read';
  const added = await tour.call<CallResponse>(`/v1/extensions/${appId}/call`, {
    method: 'POST',
    token,
    body: { ...user, function: 'add_bookmark', params: { url } },
  });
  if (added.status !== 'success') throw new Error('The bookmark was not added.');
  const calls: BatchCallRequest['calls'] = [{ function: 'list_bookmarks' }, { function: 'add_bookmark', params: {} }];
  const [listed, refused] = await tour.call<CallResponse[]>(`/v1/extensions/${appId}/batch`, {
    method: 'POST',
    token,
    body: { ...user, calls },
  });
  if (!JSON.stringify(listed?.data).includes(url)) throw new Error('The bookmark is not in the list.');
  if (refused?.error_code !== 'VALIDATION_MISSING_FIELD') throw new Error('A missing parameter was not refused.');

  tour.step('Have another system send it a signed webhook, and replay that');
  const secret = randomBytes(24).toString('hex');
  await tour.call(`/v1/developer/apps/${appId}/secrets/signing_secret`, {
    method: 'PUT',
    token,
    body: { value: secret },
  });
  const path = `/v1/ext/${appId}/webhook/shared`;
  await tour.verified(path);
  const body = JSON.stringify({ url: 'https://example.com/shared' });
  const signature = (key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
  await tour.webhook(path, body, { 'X-Hub-Signature-256': signature(secret) });
  const delivery = await tour.until('delivery that succeeded', async () => {
    const { items } = await tour.call<WebhookDeliveriesResponse>(`/v1/developer/apps/${appId}/webhook-deliveries`, {
      token,
    });
    return items.find(({ status }) => status === 'succeeded');
  });
  await tour.call<WebhookDelivery>(`/v1/developer/apps/${appId}/webhook-deliveries/${delivery.delivery_id}/replay`, {
    method: 'POST',
    token,
    status: 202,
  });
  await tour.call(`/v1/developer/apps/${appId}/logs`, { token });
}

/** App of the tour: two functions, and a webhook with an inbox. */
export const bookmarks = (appId: string) => ({
  app_id: appId,
  version: '1.0.0',
  secrets: [{ name: 'signing_secret', scope: 'app' }],
  steps: [
    {
      id: 'add',
      kind: 'function',
      action: 'add_bookmark',
      params: {
        description: 'Keeps the address of a page to read later.',
        params_schema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
        steps: [
          {
            id: 'kept',
            kind: 'store',
            action: 'create',
            params: { kind: 'bookmarks', data: { url: '{{ args.url }}' } },
          },
        ],
      },
    },
    {
      id: 'list',
      kind: 'function',
      action: 'list_bookmarks',
      params: {
        description: 'Lists the pages to read later.',
        steps: [{ id: 'found', kind: 'store', action: 'list', params: { kind: 'bookmarks' } }],
      },
    },
    {
      id: 'verify',
      kind: 'webhook',
      action: 'shared',
      params: {
        method: 'GET',
        steps: [
          {
            id: 'echo',
            kind: 'control',
            action: 'return',
            params: { body: "{{ event.query_params['hub.challenge'] }}" },
          },
        ],
      },
    },
    {
      id: 'shared',
      kind: 'webhook',
      action: 'shared',
      params: {
        inbox: true,
        secret_header: 'x-hub-signature-256',
        steps: [
          { id: 'secret', kind: 'secret', action: 'get', params: { name: 'signing_secret' } },
          {
            id: 'signature',
            kind: 'crypto',
            action: 'webhook_verify',
            params: { scheme: 'github', secret: '{{ steps.secret.value }}' },
          },
          {
            id: 'signed',
            kind: 'control',
            action: 'if',
            params: {
              if: { field: '{{ steps.signature.valid }}', eq: true },
              then: [],
              else: [{ id: 'refused', kind: 'control', action: 'return', params: { status_code: 401 } }],
            },
          },
          {
            id: 'kept',
            kind: 'store',
            action: 'create',
            params: { kind: 'shared', data: { url: '{{ event.json.url }}' } },
          },
          { id: 'told', kind: 'log', action: 'info', params: { message: 'Somebody shared {{ event.json.url }}.' } },
        ],
      },
    },
  ],
});
