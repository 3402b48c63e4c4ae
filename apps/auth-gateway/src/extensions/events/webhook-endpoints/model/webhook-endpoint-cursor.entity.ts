import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** One row: events up to this position have their deliveries. Who holds it gives them out. */
@Entity('webhook_endpoint_cursors')
@Check('webhook_endpoint_cursors_one_check', 'id = 1')
export class WebhookEndpointCursor {
  @PrimaryColumn('smallint') id!: number;
  @Column('bigint') position!: string;
}
