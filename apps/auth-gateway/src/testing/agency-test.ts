import type { AgencyResponse, CreateAgencyRequest } from '@platform/contracts';
import type { TestClient, TestResponse } from '@platform/testing';
import { GatewayTest } from './gateway-test.js';
import { expectNothingStored } from './stored-rows.js';
import { createTenant } from './tenants.js';

export interface Issue {
  loc: (string | number)[];
  msg: string;
  type: string;
}

export interface Entry {
  action: string;
  actor_type: string;
  actor_id: string;
  on_behalf_of: string | null;
  tenant_id: string;
  before_state: object | null;
  after_state: object | null;
  metadata: object;
}

/** A gateway with a signed-in administrator of the platform's tenant, and helpers for agencies. */
export class AgencyTest {
  private made = 0;

  private constructor(
    readonly gateway: GatewayTest,
    readonly admin: TestClient,
  ) {}

  static async start(): Promise<AgencyTest> {
    const gateway = await GatewayTest.start();
    return new AgencyTest(gateway, await gateway.signIn(await gateway.user({ role: 'admin' })));
  }

  newId(): string {
    return `agency-${++this.made}`;
  }

  async create(body: Partial<CreateAgencyRequest> = {}, client = this.admin): Promise<AgencyResponse> {
    const answer = await client.post<AgencyResponse>('/v1/agencies', {
      agency_id: this.newId(),
      display_name: 'Acme',
      ...body,
    });
    if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Creates a new tenant and its administrator, its only user. */
  async stranger(): Promise<{ tenant: string; userId: string; client: TestClient }> {
    const { id: tenant } = await createTenant(this.gateway.backend(), { name: 'Strangers' });
    const user = await this.gateway.user({ role: 'admin', tenant_id: tenant });
    return { tenant, userId: user.id, client: await this.gateway.signIn(user) };
  }

  /**
   * Sends a request that must be refused with 422 and change nothing. Returns the issues in the
   * answer.
   */
  async expectInvalid(method: string, path: string, body: unknown, client = this.admin): Promise<Issue[]> {
    const answer = await expectNothingStored(this.gateway.service, () =>
      client.request<{ detail: Issue[] }>(method, path, body),
    );
    expect(answer.status).toBe(422);
    return answer.body.detail;
  }

  /** Sends requests that must all be refused with this status and code, and change nothing. */
  async expectRefusals(status: number, code: string, requests: () => Promise<TestResponse<unknown>>[]): Promise<void> {
    const answers = await expectNothingStored(this.gateway.service, () => Promise.all(requests()));
    for (const answer of answers) expect(answer).toMatchObject({ status, body: { code } });
  }

  auditEntries(agencyId: string): Promise<Entry[]> {
    return this.gateway.service.query<Entry>(
      "SELECT * FROM gateway_audit.audit_entries WHERE target_type = 'agency' AND target_id = $1 ORDER BY id",
      [agencyId],
    );
  }

  stop(): Promise<void> {
    return this.gateway.stop();
  }
}
