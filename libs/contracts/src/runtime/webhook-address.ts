/**
 * Channels of webhook addresses. `draft`: the version of an unpublished app, for its developer's
 * tests. `live`: a published app.
 */
export const WEBHOOK_CHANNELS = ['live', 'draft'] as const;
export type WebhookChannel = (typeof WEBHOOK_CHANNELS)[number];

export const channelOf = ({ is_active: isActive }: { is_active: boolean }): WebhookChannel =>
  isActive ? 'live' : 'draft';

const BELOW_APP: Readonly<Record<WebhookChannel, string>> = { live: 'webhook', draft: 'draft/webhook' };

/**
 * Path of a webhook below the address of the panel. A slash at the beginning of `path` is ignored.
 */
export const webhookAddress = (appId: string, channel: WebhookChannel, path: string): string =>
  `/v1/ext/${appId}/${BELOW_APP[channel]}/${path.replace(/^\/+/, '')}`;
