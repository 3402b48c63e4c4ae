import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { lockBillingClock } from '@platform/billing';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';

/** Fixes the billing clock in production: billing time is the real time for ever. */
@Injectable()
export class FixedBillingClockService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Pick<Config, 'NODE_ENV'>,
  ) {}

  /**
   * Fixes the billing clock if the gateway runs in production.
   *
   * @throws Error in production if the billing time is ahead, because credits would expire and
   * plans would renew too early.
   */
  async onModuleInit(): Promise<void> {
    if (this.config.NODE_ENV === 'production') await lockBillingClock(this.dataSource);
  }
}
