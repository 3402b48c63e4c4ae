import { Module } from '@nestjs/common';
import { RegistryModule } from '../../../kernel/peers/registry/registry.module.js';
import { DeployDocumentsModule } from '../documents/deploy-documents.module.js';
import { VersionsModule } from '../versions/versions.module.js';
import { AppSyncService } from './app-sync.service.js';
import { DeployCompletionService } from './deploy-completion.service.js';
import { DeploySagaWorker } from './deploy-saga.worker.js';
import { DeployStatesService } from './deploy-states.service.js';
import { DeployWaitService } from './deploy-wait.service.js';
import { DeployReconciliationWorker } from './deploy-reconciliation.worker.js';
import { RegistryManifestsService } from './registry-manifests.service.js';

/** Steps that make gateway and Registry serve a version. */
@Module({
  imports: [DeployDocumentsModule, RegistryModule, VersionsModule],
  providers: [
    AppSyncService,
    DeployCompletionService,
    DeployReconciliationWorker,
    DeploySagaWorker,
    DeployStatesService,
    DeployWaitService,
    RegistryManifestsService,
  ],
  exports: [DeployCompletionService, DeployWaitService],
})
export class DeploySagaModule {}
