import type { INestApplication } from '@nestjs/common';
import { DEFAULT_TENANT } from '@platform/contracts';
import { BroadcastService } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { createLogger, createService } from '@platform/platform';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import { loadConfig } from '../../apps/auth-gateway/src/config.js';
import { EVENTS_PLACED } from '../../apps/auth-gateway/src/kernel/events/event-positions.service.js';
import { PlatformEventsService } from '../../apps/auth-gateway/src/extensions/events/platform-events.service.js';
import { authGateway } from '../../apps/auth-gateway/src/service.js';
import { asNewEvent } from '../../apps/auth-gateway/src/testing/events.js';

/**
 * Parallel transactions, fewer than the connections to the database: on a slow machine they wait,
 * and none fails.
 */
const AT_ONCE = 6;

/**
 * A gateway process without clients, which publishes events like features do, in separate
 * transactions.
 */
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

  /**
   * Publishes an event and waits for the commit. The event contains `n` and the time of the start.
   */
  async publish(userId: string, n: number): Promise<void> {
    await this.inTurn(() =>
      this.app.get(Outbox).transaction((em) => {
        const data = {
          n,
          sentAt: performance.timeOrigin + performance.now(),
          text: 'Something has happened that concerns you.',
        };
        return this.app
          .get(PlatformEventsService)
          .publish(em, asNewEvent({ type: 'system.tested', tenantId: DEFAULT_TENANT, userId, data }));
      }),
    );
  }

  /**
   * Publishes this many events, which belong to no user, in one transaction with their positions,
   * and then notifies the gateways.
   */
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
    void this.app.get(BroadcastService).publish(EVENTS_PLACED, ['']);
  }

  /** Adds users and returns their ids. */
  async addUsers(count: number): Promise<string[]> {
    const rows = await this.app.get(DataSource).query<{ id: string }[]>(
      `INSERT INTO users (id, tenant_id, email, email_canonical, first_name, last_name)
       SELECT 'usr_' || lpad(n::text, 26, '0'), $1, mail, mail, 'Ada', 'Lovelace'
       FROM generate_series(1, $2::int) AS n, LATERAL (SELECT 'user' || n || '@example.com' AS mail) AS address RETURNING id`,
      [DEFAULT_TENANT, count],
    );
    return rows.map(({ id }) => id);
  }

  stop(): Promise<void> {
    return this.app.close();
  }
}
