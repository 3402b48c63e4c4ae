import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A single row. Events up to this position have their deliveries. The process that locks the row
 * creates the next ones.
 */
@Entity('webhook_endpoint_cursors')
@Check('webhook_endpoint_cursors_one_check', 'id = 1')
export class WebhookEndpointCursor {
  @PrimaryColumn('smallint') id!: number;
  @Column('bigint') position!: string;
}
