import { Module } from '@nestjs/common';
import { RegistryModule } from '../../../kernel/peers/registry/registry.module.js';
import { DeployDocumentsModule } from '../documents/deploy-documents.module.js';
import { VersionsModule } from '../versions/versions.module.js';
import { AppSync } from './app-sync.service.js';
import { DeployEnds } from './deploy-completion.service.js';
import { DeploySaga } from './deploy-saga.worker.js';
import { DeployStates } from './deploy-states.service.js';
import { DeployWaits } from './deploy-wait.service.js';
import { DeployReconciler } from './deploy-reconciliation.worker.js';
import { RegistryCopies } from './registry-manifests.service.js';

/** Steps that make gateway and Registry serve a version. */
@Module({
  imports: [DeployDocumentsModule, RegistryModule, VersionsModule],
  providers: [AppSync, DeployEnds, DeployReconciler, DeploySaga, DeployStates, DeployWaits, RegistryCopies],
  exports: [DeployEnds, DeployWaits],
})
export class DeploySagaModule {}
