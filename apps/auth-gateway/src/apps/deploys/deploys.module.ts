import { Module } from '@nestjs/common';
import { DeploysController } from './deploys.controller.js';
import { DeploysService } from './deploys.service.js';
import { DeployDocumentsModule } from './documents/deploy-documents.module.js';
import { ManifestSyncService } from './manifest-sync.service.js';

/** Requests for deploys, and their status. */
@Module({
  imports: [DeployDocumentsModule],
  controllers: [DeploysController],
  providers: [DeploysService, ManifestSyncService],
  exports: [DeploysService],
})
export class DeploysModule {}
