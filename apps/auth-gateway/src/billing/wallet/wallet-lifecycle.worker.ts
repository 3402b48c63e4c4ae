import { Injectable } from '@nestjs/common';
import { WalletsRepository } from '@platform/billing';
import { ProvisioningService } from '../../identity/provisioning/provisioning.service.js';
import { AccountDeletionService } from '../../kernel/account-deletion/account-deletion.service.js';

/** Creates wallets for users, and closes them during account deletion. */
@Injectable()
export class WalletLifecycleWorker {
  constructor(wallets: WalletsRepository, provisioning: ProvisioningService, accountDeletion: AccountDeletionService) {
    provisioning.addStep(async (userId) => {
      await wallets.ensureWallet(userId);
    });
    accountDeletion.addDataStep((tenant, userId) => wallets.closeAllWallets(tenant, userId));
  }
}
