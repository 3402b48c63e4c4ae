import { Module } from '@nestjs/common';
import { DocumentChecker } from './document-checker.js';

/** Checking the documents that are deployed. */
@Module({ providers: [DocumentChecker], exports: [DocumentChecker] })
export class DeployDocumentsModule {}
