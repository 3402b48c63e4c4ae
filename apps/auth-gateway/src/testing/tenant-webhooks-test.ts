import type { WebhookEndpointDeliveriesResponse, WebhookEndpointDelivery } from '@platform/contracts';
import { until, type TestClient } from '@platform/testing';
import type { ServerResponse } from 'node:http';
import { GatewayTest, type TestUser } from './gateway-test.js';
import { createTenant } from './tenants.js';
import {
  createTestEndpoint,
  publishTestEvent,
  TestWebhookReceiver,
  type ReceivedHook,
  type TestEndpoint,
} from './test-webhook-receiver.js';

export const PLAN = { previous_plan: 'free', plan: 'pro' };

/** A gateway and a receiver of its webhooks, with a new tenant for each test. */
export class TenantWebhooksTest {
  tenantId = '';
  admin!: TestUser;
  user!: TestUser;
  /** Signed in as the administrator. */
  client!: TestClient;

  private constructor(
    readonly gateway: GatewayTest,
    readonly receiver: TestWebhookReceiver,
    readonly env: Record<string, string>,
  ) {}

  /** @param allowed further addresses (`address:port`) to which the gateway can post. */
  static async start(env: Record<string, string> = {}, allowed: readonly string[] = []): Promise<TenantWebhooksTest> {
    const receiver = await TestWebhookReceiver.start();
    const all = { ...env, EGRESS_ALLOW: [receiver.env.EGRESS_ALLOW, ...allowed].join(',') };
    return new TenantWebhooksTest(await GatewayTest.start(all), receiver, all);
  }

  async newTenant(): Promise<void> {
    ({ id: this.tenantId } = await createTenant(this.gateway.backend()));
    this.admin = await this.gateway.user({ tenant_id: this.tenantId, role: 'admin' });
    this.user = await this.gateway.user({ tenant_id: this.tenantId });
    this.client = await this.gateway.signIn(this.admin);
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.receiver.stop();
  }

  endpoint(changes: Parameters<typeof createTestEndpoint>[2] = {}): Promise<TestEndpoint> {
    return createTestEndpoint(this.client, this.receiver, changes);
  }

  /** Creates an endpoint for events of all tenants, and deletes it after `act`. */
  async withEndpointOfAllTenants(
    changes: Parameters<typeof createTestEndpoint>[2],
    act: (endpoint: TestEndpoint) => Promise<void>,
  ): Promise<void> {
    const root = await this.gateway.signIn(await this.gateway.user({ role: 'admin' }));
    const all = await createTestEndpoint(root, this.receiver, { ...changes, all_tenants: true });
    try {
      await act(all);
    } finally {
      await root.delete(routeOf(all));
    }
  }

  /** Publishes `billing.plan_changed` and returns the id of the event. */
  publishPlanChanged(plan = 'pro', service = this.gateway.service): Promise<string> {
    return publishTestEvent(service, {
      type: 'billing.plan_changed',
      tenantId: this.tenantId,
      userId: this.user.id,
      data: { ...PLAN, plan },
    });
  }

  /** Inserts this number of events at once, without positions. */
  async insertPlanChanges(count: number): Promise<void> {
    await this.gateway.service.query(
      `INSERT INTO platform_events (id, tenant_id, user_id, source_type, source, type, payload, payload_length, hop, at)
       SELECT gen_random_uuid(), $1, $2, 'billing', 'platform', 'billing.plan_changed', $3::jsonb, 100, 0, now() FROM generate_series(1, $4)`,
      [this.tenantId, this.user.id, JSON.stringify(PLAN), count],
    );
  }
}

export const routeOf = ({ id }: { id: string }): string => `/v1/webhook-endpoints/${id}`;

export const listDeliveries = async (one: TestEndpoint, query = ''): Promise<WebhookEndpointDelivery[]> =>
  (await one.client.get<WebhookEndpointDeliveriesResponse>(`${routeOf(one)}/deliveries${query}`)).body.items;

/** Waits until the only delivery of the endpoint satisfies the condition, and returns it. */
export const waitForDelivery = (
  one: TestEndpoint,
  is: (delivery: WebhookEndpointDelivery) => boolean,
): Promise<WebhookEndpointDelivery> => until(async () => (await listDeliveries(one)).find(is));

export const answerWith =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end('internal: 10.0.0.7');

export const planOf = ({ body }: ReceivedHook): string => (JSON.parse(body) as { data: { plan: string } }).data.plan;
