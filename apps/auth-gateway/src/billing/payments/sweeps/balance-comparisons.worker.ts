import { Injectable } from '@nestjs/common';
import { CustomersService, PaymentBalanceService } from '@platform/billing';
import { MaintenanceTasksService } from '@platform/messaging';
import { Gauge, Registry } from 'prom-client';

const DAY_MS = 24 * 3_600_000;

/** Compares the provider's balance with the stored payments once a day. */
@Injectable()
export class BalanceComparisonsWorker {
  constructor(
    private readonly balance: PaymentBalanceService,
    private readonly customers: CustomersService,
    tasks: MaintenanceTasksService,
    metrics: Registry,
  ) {
    tasks.scheduleTask(DAY_MS, 'payment-balance', () => this.compareBalance());
    this.measure(metrics);
  }

  /** Compares the balance now. Does nothing on a platform without any customer. */
  async compareBalance(): Promise<void> {
    if (await this.customers.hasAnyCustomer()) await this.balance.compareBalance();
  }

  private measure(metrics: Registry): void {
    const { balance } = this;
    new Gauge({
      name: 'payment_balance_differences',
      help: 'Payments, refunds and disputes at the provider that differed from the stored ones in the last comparison; NaN before the first comparison',
      registers: [metrics],
      async collect() {
        this.set((await balance.findLastComparison())?.differences ?? Number.NaN);
      },
    });
    new Gauge({
      name: 'payment_balance_age_seconds',
      help: 'Seconds since the last comparison with the balance of the provider; NaN before the first comparison',
      registers: [metrics],
      async collect() {
        const last = await balance.findLastComparison();
        this.set(last ? (Date.now() - last.checkedAt.getTime()) / 1_000 : Number.NaN);
      },
    });
  }
}
