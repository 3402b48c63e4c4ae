import type { EventPayload, EventType, WebhookEndpointWithSecret } from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { LocalServer, until, type TestClient, type TestService } from '@platform/testing';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { DataSource } from 'typeorm';
import { publishEvent } from '../kernel/events/publish-event.js';

export interface ReceivedHook {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A server that receives outgoing webhooks, with a path for each endpoint. */
export class TestWebhookReceiver {
  readonly received: ReceivedHook[] = [];
  private readonly answers = new Map<string, (response: ServerResponse, hook: ReceivedHook) => void>();

  private constructor(private readonly server: LocalServer) {}

  static async start(): Promise<TestWebhookReceiver> {
    const server = await LocalServer.start((request, response) => {
      void text(request).then((body) => {
        const hook = { path: request.url ?? '', headers: request.headers as Record<string, string>, body };
        receiver.received.push(hook);
        (receiver.answers.get(hook.path) ?? ((answer) => answer.writeHead(204).end()))(response, hook);
      });
    });
    const receiver = new TestWebhookReceiver(server);
    return receiver;
  }

  get port(): number {
    return this.server.port;
  }

  /** Environment that lets the gateway post to it. */
  get env(): { EGRESS_ALLOW: string } {
    return { EGRESS_ALLOW: `127.0.0.1:${this.port}` };
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Sets the answer for a path; default: 204. */
  setAnswer(path: string, answer?: (response: ServerResponse, hook: ReceivedHook) => void): void {
    if (answer) this.answers.set(path, answer);
    else this.answers.delete(path);
  }

  receivedAt(path: string): ReceivedHook[] {
    return this.received.filter((hook) => hook.path === path);
  }

  /** Waits for the first `count` webhooks at a path and returns them. */
  async waitForFirst(path: string, count: number): Promise<ReceivedHook[]> {
    await until(() => this.receivedAt(path).length >= count);
    return this.receivedAt(path).slice(0, count);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

/** An endpoint of a tenant, and the client that created it. */
export interface TestEndpoint extends Pick<WebhookEndpointWithSecret, 'id' | 'url' | 'secret' | 'created_by'> {
  path: string;
  client: TestClient;
}

/** Creates an endpoint with a client of the tenant. */
export async function createTestEndpoint(
  client: TestClient,
  receiver: TestWebhookReceiver,
  changes: { path?: string; url?: string; event_types?: string[]; all_tenants?: boolean; query?: string } = {},
): Promise<TestEndpoint> {
  const { path = `/${newUuid()}` } = changes;
  const { url = receiver.url(path), event_types = ['billing.plan_changed'], all_tenants = false, query = '' } = changes;
  const answer = await client.post<WebhookEndpointWithSecret>(`/v1/webhook-endpoints${query}`, {
    url,
    event_types,
    all_tenants,
  });
  if (answer.status !== 201)
    throw new Error(`creating an endpoint answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const { id, secret, created_by } = answer.body;
  return { id, url, secret, created_by, path, client };
}

export interface TestEvent<Type extends EventType = EventType> {
  type: Type;
  tenantId: string;
  userId: string | null;
  data: EventPayload<Type>;
}

/** Publishes an event, as features of this service do. Returns its id. */
export async function publishTestEvent<Type extends EventType>(
  service: TestService,
  event: TestEvent<Type>,
): Promise<string> {
  const id = newUuid();
  await service.app
    .get(DataSource)
    .transaction((em) => publishEvent(em, { id, ...event } as Parameters<typeof publishEvent>[1]));
  return id;
}

/**
 * Makes all retries to an endpoint due now. First waits until no job runs, because a running job
 * would write the retry time that it read before.
 */
export async function makeRetriesDue(service: TestService, { id }: Pick<TestEndpoint, 'id'>): Promise<void> {
  const ofEndpoint = "queue = 'webhook-endpoint-deliveries' AND payload ->> 'endpoint_id' = $1 AND failed_at IS NULL";
  await until(
    async () =>
      (await service.query(`SELECT FROM outbox WHERE ${ofEndpoint} AND due_at IS NULL LIMIT 1`, [id])).length === 0,
  );
  await service.query(
    "UPDATE webhook_endpoint_deliveries SET next_attempt_at = now(), leased_until = NULL WHERE endpoint_id = $1 AND status = 'pending'",
    [id],
  );
  await service.query(`UPDATE outbox SET due_at = now(), dispatched_at = now() WHERE ${ofEndpoint}`, [id]);
}
