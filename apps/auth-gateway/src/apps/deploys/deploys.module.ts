import { Module } from '@nestjs/common';
import { DeploysController } from './deploys.controller.js';
import { Deploys } from './deploys.service.js';
import { DeployDocumentsModule } from './documents/deploy-documents.module.js';
import { ManifestSync } from './manifest-sync.service.js';

/** Requests for deploys, and their status. */
@Module({
  imports: [DeployDocumentsModule],
  controllers: [DeploysController],
  providers: [Deploys, ManifestSync],
  exports: [Deploys],
})
export class DeploysModule {}
