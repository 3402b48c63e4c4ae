import { ApiProperty } from '@nestjs/swagger';

export class PricesSyncedResponse {
  /** Number of apps whose price changed. */
  @ApiProperty({ type: 'integer' }) synced!: number;
}
