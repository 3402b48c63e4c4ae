import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { PaymentProvider, refuseTestCredits } from '@platform/billing';
import { DataSource } from 'typeorm';

/** With a live key no credits of test payments are there, since developers are paid real money for what they earn. */
@Injectable()
export class RealMoneyStartService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(PaymentProvider) private readonly provider: Pick<PaymentProvider, 'isLive'>,
  ) {}

  /** @throws Error that names the command which books them out. */
  async onModuleInit(): Promise<void> {
    if (this.provider.isLive) await refuseTestCredits(this.dataSource);
  }
}
