import { Module } from '@nestjs/common';
import { RegistryModule } from '../../kernel/peers/registry/registry.module.js';
import { DeployMetrics } from './versions/deploy-metrics.js';
import { DeployWaits } from './saga/deploy-waits.js';
import { DeploysController } from './deploys.controller.js';
import { Deploys } from './deploys.service.js';
import { DocumentChecker } from './documents/document-checker.js';
import { DevelopmentVersions } from './versions/development-versions.js';
import { ManifestSync } from './manifest-sync.service.js';
import { AppSync } from './saga/app-sync.js';
import { DeployEnds } from './saga/deploy-ends.js';
import { DeploySaga } from './saga/deploy-saga.js';
import { DeployStates } from './saga/deploy-states.js';
import { DeployReconciler } from './saga/reconciler.js';
import { RegistryCopies } from './saga/registry-copies.js';

/** Versions of apps, and how they come to run. */
@Module({
  imports: [RegistryModule],
  controllers: [DeploysController],
  providers: [
    AppSync,
    DeployEnds,
    DeployMetrics,
    DeployReconciler,
    DeploySaga,
    DeployStates,
    DeployWaits,
    Deploys,
    DevelopmentVersions,
    DocumentChecker,
    ManifestSync,
    RegistryCopies,
  ],
  exports: [DeployEnds, DeployWaits, Deploys, DocumentChecker],
})
export class DeploysModule {}
