import { ApiProperty } from '@nestjs/swagger';
import { WebhookDelivery } from './webhook-deliveries.dto.js';

/** A delivery with the request as it came. */
export class WebhookDeliveryDetail extends WebhookDelivery {
  /** Names in lower case; without those that are no extension's to see. */
  headers!: Record<string, string>;
  query_params!: Record<string, string>;
  /** Of the whole body. */
  @ApiProperty({ type: 'integer' }) body_bytes!: number;
  /** The first 64 KiB. */
  body_base64!: string;
}
