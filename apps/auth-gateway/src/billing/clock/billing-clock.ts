import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { fixBillingTime } from '@platform/billing';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';

/** In production the time of billing is that of the clock, and stays it. */
@Injectable()
export class FixedBillingClock implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Pick<Config, 'NODE_ENV'>,
  ) {}

  /** @throws Error in production when the time of billing is ahead, which would expire credits and renew plans. */
  async onModuleInit(): Promise<void> {
    if (this.config.NODE_ENV === 'production') await fixBillingTime(this.dataSource);
  }
}
