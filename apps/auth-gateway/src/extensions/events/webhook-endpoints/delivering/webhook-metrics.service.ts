import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';

@Injectable()
export class WebhookMetricsService {
  constructor(dataSource: DataSource, registry: Registry) {
    new Gauge({
      name: 'webhook_endpoint_deliveries_oldest_due_seconds',
      help: 'Seconds for which the oldest due delivery of an outgoing webhook has been due',
      registers: [registry],
      async collect() {
        const [row] = await dataSource.query<{ age: number }[]>(
          `SELECT coalesce(greatest(extract(epoch FROM now() - min(next_attempt_at)), 0), 0)::float AS age
           FROM webhook_endpoint_deliveries WHERE status = 'pending'`,
        );
        this.set(row?.age ?? 0);
      },
    });
  }
}
