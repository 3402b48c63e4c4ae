import { HTTP_METHODS, methodsOf, type HttpMethod, type Webhook } from '@platform/app-document';

/** What a route is found by: `path` with or without slashes at its ends. */
type Registered = Pick<Webhook, 'path' | 'method'>;

/** `method` is the one of the webhook that was found: GET also for a HEAD, where no webhook takes HEAD itself. */
export type WebhookMatch<Found> = { webhook: Found; method: HttpMethod } | { allow: string } | null;

/** The webhooks of an app. For a path and a method there is one; the one that was registered last. */
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
   * `path` is what stands behind `/webhook/` in the address, as it was sent: nothing in it is decoded, so there is one way to write it.
   * Null when there is no webhook; `allow`, as the header `Allow` has it, when only other methods are taken there.
   */
  match(method: string, path: string): WebhookMatch<Found> {
    const byMethod = this.byPath.get(trimmed(path));
    if (!byMethod) return null;
    for (const taken of method === 'HEAD' ? (['HEAD', 'GET'] as const) : [method as HttpMethod]) {
      const webhook = byMethod.get(taken);
      if (webhook) return { webhook, method: taken };
    }
    return { allow: HTTP_METHODS.filter((known) => byMethod.has(known === 'HEAD' && byMethod.has('GET') ? 'GET' : known)).join(', ') };
  }
}

const trimmed = (path: string): string => path.replace(/^\/|\/$/g, '');
