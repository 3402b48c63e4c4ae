import { HTTP_METHODS, methodsOf, type HttpMethod, type Webhook } from '@platform/app-document';

/** Key of a route. `path` can have slashes at its ends. */
type Registered = Pick<Webhook, 'path' | 'method'>;

/**
 * `method` is that of the webhook that was found: GET for a HEAD request if no webhook accepts
 * HEAD.
 */
export type WebhookMatch<Found> = { webhook: Found; method: HttpMethod } | { allow: string } | null;

/** Webhooks of an app. If several have the same path and method, the last one is used. */
export class WebhookRoutes<Found extends Registered> {
  private readonly byPath = new Map<string, Map<HttpMethod, Found>>();

  constructor(webhooks: readonly Found[]) {
    for (const webhook of webhooks) {
      const path = trimmed(webhook.path);
      const byMethod = this.byPath.get(path) ?? new Map<HttpMethod, Found>();
      for (const method of methodsOf(webhook)) byMethod.set(method, webhook);
      this.byPath.set(path, byMethod);
    }
  }

  /**
   * Finds the webhook of a path and method; for a HEAD request also one for GET. `path` is the part
   * after `/webhook/` in the address, as it was sent: nothing is decoded, so there is only one
   * spelling. Null if there is no webhook; `allow`, in the form of the header `Allow`, if webhooks
   * of this path accept only other methods.
   */
  match(method: string, path: string): WebhookMatch<Found> {
    const byMethod = this.byPath.get(trimmed(path));
    if (!byMethod) return null;
    for (const taken of method === 'HEAD' ? (['HEAD', 'GET'] as const) : [method as HttpMethod]) {
      const webhook = byMethod.get(taken);
      if (webhook) return { webhook, method: taken };
    }
    return {
      allow: HTTP_METHODS.filter((known) => byMethod.has(known === 'HEAD' && byMethod.has('GET') ? 'GET' : known)).join(
        ', ',
      ),
    };
  }
}

const trimmed = (path: string): string => path.replace(/^\/|\/$/g, '');
