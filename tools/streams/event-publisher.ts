import type { INestApplication } from '@nestjs/common';
import { DEFAULT_TENANT } from '@platform/contracts';
import { Notifications } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { createLogger, createService } from '@platform/platform';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import { loadConfig } from '../../apps/auth-gateway/src/config.js';
import { EVENTS_PLACED } from '../../apps/auth-gateway/src/kernel/events/event-positions.js';
import { PlatformEvents } from '../../apps/auth-gateway/src/extensions/events/platform-events.js';
import { authGateway } from '../../apps/auth-gateway/src/service.js';
import { asNewEvent } from '../../apps/auth-gateway/src/testing/events.js';

/** Fewer than the connections to the database: a machine that cannot keep up is slow, and nothing fails. */
const AT_ONCE = 6;

/** A process of the gateway that nobody calls: it publishes events as features do, in transactions of their own. */
export class EventPublisher {
  private readonly inTurn = pLimit(AT_ONCE);

  private constructor(private readonly app: INestApplication) {}

  static async start(env: NodeJS.ProcessEnv): Promise<EventPublisher> {
    const definition = authGateway(loadConfig({ ...env, WORKERS: 'off' }));
    const app = await createService(definition, createLogger('publisher', 'warn'));
    await definition.connect?.(app);
    await app.init();
    return new EventPublisher(app);
  }

  /** Resolves once the transaction has committed. `n` and the moment are in the event. */
  async publish(userId: string, n: number): Promise<void> {
    await this.inTurn(() =>
      this.app.get(Outbox).transaction((em) => {
        const data = { n, sentAt: performance.timeOrigin + performance.now(), text: 'Something has happened that concerns you.' };
        return this.app.get(PlatformEvents).publish(em, asNewEvent({ type: 'system.tested', tenantId: DEFAULT_TENANT, userId, data }));
      }),
    );
  }

  /** Resolves once so many have committed and have their positions, and the processes are told. They are nobody's. */
  async publishAtOnce(events: number): Promise<void> {
    await this.app.get(DataSource).transaction(async (em) => {
      await em.query(
        `INSERT INTO platform_events (id, tenant_id, source_type, source, type, payload, payload_length, hop, at)
         SELECT gen_random_uuid(), $1, 'system', 'platform', 'system.tested', payload, octet_length(payload::text), 0, now()
         FROM generate_series(1, $2::int) AS n, jsonb_build_object('n', n, 'text', 'Something has happened that concerns you.') AS payload`,
        [DEFAULT_TENANT, events],
      );
      await em.query('SELECT platform_events_place($1)', [events]);
    });
    void this.app.get(Notifications).publish(EVENTS_PLACED, ['']);
  }

  /** Returns their ids. */
  async addUsers(count: number): Promise<string[]> {
    const rows = await this.app.get(DataSource).query<{ id: string }[]>(
      `INSERT INTO users (id, tenant_id, email, email_canonical, first_name, last_name, email_verified_at)
       SELECT 'usr_' || lpad(n::text, 26, '0'), $1, mail, mail, 'Ada', 'Lovelace', now()
       FROM generate_series(1, $2::int) AS n, LATERAL (SELECT 'user' || n || '@example.com' AS mail) AS address RETURNING id`,
      [DEFAULT_TENANT, count],
    );
    return rows.map(({ id }) => id);
  }

  stop(): Promise<void> {
    return this.app.close();
  }
}
