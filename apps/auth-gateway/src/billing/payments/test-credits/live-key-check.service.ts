import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { PaymentProvider, assertNoTestCredits } from '@platform/billing';
import { DataSource } from 'typeorm';

/**
 * Refuses to start with a live key while credits of test payments exist, because developers would
 * be paid real money for them.
 */
@Injectable()
export class LiveKeyCheckService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(PaymentProvider) private readonly provider: Pick<PaymentProvider, 'isLive'>,
  ) {}

  /**
   * Checks that there are no credits of test payments if the provider's key is live.
   *
   * @throws Error that names the command which removes the credits, if there are some.
   */
  async onModuleInit(): Promise<void> {
    if (this.provider.isLive) await assertNoTestCredits(this.dataSource);
  }
}
