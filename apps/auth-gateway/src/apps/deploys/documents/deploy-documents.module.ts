import { Module } from '@nestjs/common';
import { DocumentCheckService } from './document-check.service.js';

/** Checks of deployed documents. */
@Module({ providers: [DocumentCheckService], exports: [DocumentCheckService] })
export class DeployDocumentsModule {}
