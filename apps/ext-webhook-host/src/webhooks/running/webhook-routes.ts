import { HTTP_METHODS, methodsOf, type Webhook } from '@platform/app-document';

/** What a route is found by: `path` with or without slashes at its ends. */
type Registered = Pick<Webhook, 'path' | 'method'>;

export type WebhookMatch<Found> = { webhook: Found } | { allow: string } | null;

/** The webhooks of an app. For a path and a method there is one; the one that was registered last. */
export class WebhookRoutes<Found extends Registered> {
  private readonly byPath = new Map<string, Map<string, Found>>();

  constructor(webhooks: readonly Found[]) {
    for (const webhook of webhooks) {
      const path = trimmed(webhook.path);
      const byMethod = this.byPath.get(path) ?? new Map<string, Found>();
      for (const method of methodsOf(webhook)) byMethod.set(method, webhook);
      this.byPath.set(path, byMethod);
    }
  }

  /**
   * `path` is what stands behind `/webhook/` in the address, as it was sent: nothing in it is decoded, so there is one way to write it.
   * Null when there is no webhook; `allow` when only other methods are taken there.
   */
  match(method: string, path: string): WebhookMatch<Found> {
    const byMethod = this.byPath.get(trimmed(path));
    if (!byMethod) return null;
    const webhook = byMethod.get(method);
    return webhook ? { webhook } : { allow: HTTP_METHODS.filter((known) => byMethod.has(known)).join(', ') };
  }
}

const trimmed = (path: string): string => path.replace(/^\/|\/$/g, '');
