import { ApiProperty } from '@nestjs/swagger';

export class PricesSyncedResponse {
  /** How many apps got another price. */
  @ApiProperty({ type: 'integer' }) synced!: number;
}
