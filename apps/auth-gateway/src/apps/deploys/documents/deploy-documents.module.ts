import { Module } from '@nestjs/common';
import { DocumentChecker } from './document-check.service.js';

/** Checks of deployed documents. */
@Module({ providers: [DocumentChecker], exports: [DocumentChecker] })
export class DeployDocumentsModule {}
