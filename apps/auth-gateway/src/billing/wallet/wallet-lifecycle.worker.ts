import { Injectable } from '@nestjs/common';
import { Wallets } from '@platform/billing';
import { Provisioning } from '../../identity/provisioning/provisioning.service.js';
import { Erasures } from '../../kernel/account-deletion/account-deletion.service.js';

/** Creates wallets for users, and closes them during account deletion. */
@Injectable()
export class WalletsOfUsers {
  constructor(wallets: Wallets, provisioning: Provisioning, erasures: Erasures) {
    provisioning.add(async (userId) => {
      await wallets.ensure(userId);
    });
    erasures.addDataStep((tenant, userId) => wallets.closeAll(tenant, userId));
  }
}
