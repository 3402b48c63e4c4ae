/** `draft` is of an app that is not published: what its developer deployed, to be tried. `live` is of a published one. */
export const WEBHOOK_CHANNELS = ['live', 'draft'] as const;
export type WebhookChannel = (typeof WEBHOOK_CHANNELS)[number];

export const channelOf = ({ is_active: isActive }: { is_active: boolean }): WebhookChannel => (isActive ? 'live' : 'draft');

const BELOW_APP: Readonly<Record<WebhookChannel, string>> = { live: 'webhook', draft: 'draft/webhook' };

/** Where a webhook is called, behind the address of the panel. A slash at the beginning of its path does not count. */
export const webhookAddress = (appId: string, channel: WebhookChannel, path: string): string =>
  `/v1/ext/${appId}/${BELOW_APP[channel]}/${path.replace(/^\/+/, '')}`;
