import { ApiProperty } from '@nestjs/swagger';
import { WebhookDelivery } from './webhook-deliveries.dto.js';

/** A delivery with its request. */
export class WebhookDeliveryDetail extends WebhookDelivery {
  /** Headers with names in lower case, without those that are hidden from apps. */
  headers!: Record<string, string>;
  /** Query parameters of the request. */
  query_params!: Record<string, string>;
  /** Size of the whole body. */
  @ApiProperty({ type: 'integer' }) body_bytes!: number;
  /** First 64 KiB of the body, in base64. */
  body_base64!: string;
}
