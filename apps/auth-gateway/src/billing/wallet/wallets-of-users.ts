import { Injectable } from '@nestjs/common';
import { Wallets } from '@platform/billing';
import { MaintenanceTasks } from '@platform/messaging';
import { inTurn } from '@platform/persistence';
import { Provisioning } from '../../identity/provisioning/provisioning.js';
import { Erasures } from '../../kernel/erasure/erasures.js';

const SWEEP_EVERY_MS = 3_600_000;
const BATCH = 1_000;

/** Creates wallets for users, and closes them during account deletion. */
@Injectable()
export class WalletsOfUsers {
  /** Id of the last user that the sweep has covered. */
  private sweptTo = '';

  constructor(
    private readonly wallets: Wallets,
    provisioning: Provisioning,
    erasures: Erasures,
    tasks: MaintenanceTasks,
  ) {
    provisioning.add(async (userId) => {
      await wallets.ensure(userId);
    });
    erasures.addDataStep((tenant, userId) => wallets.closeAll(tenant, userId));
    tasks.every(SWEEP_EVERY_MS, 'wallets-of-older-users', () => this.sweep(), { atStart: true });
  }

  /** Creates wallets for users without one. The next run continues if the time is too short. */
  async sweep(): Promise<void> {
    const isOver = await inTurn([() => this.sweepBatch()], { full: BATCH });
    if (isOver) this.sweptTo = '';
  }

  private async sweepBatch(): Promise<number> {
    const last = await this.wallets.ensureNext(this.sweptTo, BATCH);
    if (last === null) return 0;
    this.sweptTo = last;
    return BATCH;
  }
}
