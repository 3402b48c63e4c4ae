import { Module } from '@nestjs/common';
import { RegistryModule } from '../../../kernel/peers/registry/registry.module.js';
import { DeployDocumentsModule } from '../documents/deploy-documents.module.js';
import { VersionsModule } from '../versions/versions.module.js';
import { AppSync } from './app-sync.js';
import { DeployEnds } from './deploy-ends.js';
import { DeploySaga } from './deploy-saga.js';
import { DeployStates } from './deploy-states.js';
import { DeployWaits } from './deploy-waits.js';
import { DeployReconciler } from './reconciler.js';
import { RegistryCopies } from './registry-copies.js';

/** Steps that make gateway and Registry serve a version. */
@Module({
  imports: [DeployDocumentsModule, RegistryModule, VersionsModule],
  providers: [AppSync, DeployEnds, DeployReconciler, DeploySaga, DeployStates, DeployWaits, RegistryCopies],
  exports: [DeployEnds, DeployWaits],
})
export class DeploySagaModule {}
