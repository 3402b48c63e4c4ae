/** What a route is found by: `path` with or without slashes at its ends. */
interface Registered {
  path: string;
  method: string;
}

export type WebhookMatch<Webhook> = { webhook: Webhook } | { allow: string } | null;

/** The webhooks of an app. At one path there is one; the one that was registered last. */
export class WebhookRoutes<Webhook extends Registered> {
  private readonly byPath: ReadonlyMap<string, Webhook>;

  constructor(webhooks: readonly Webhook[]) {
    this.byPath = new Map(webhooks.map((webhook) => [trimmed(webhook.path), webhook]));
  }

  /**
   * `path` is what stands behind `/webhook/` in the address, as it was sent: nothing in it is decoded, so there is one way to write it.
   * Null when there is no webhook; `allow` when it takes another method.
   */
  match(method: string, path: string): WebhookMatch<Webhook> {
    const webhook = this.byPath.get(trimmed(path));
    if (!webhook) return null;
    return webhook.method === method ? { webhook } : { allow: webhook.method };
  }
}

const trimmed = (path: string): string => path.replace(/^\/|\/$/g, '');
