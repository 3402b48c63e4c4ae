import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log.service.js';
import { AuditSealJobs } from './audit-seal.worker.js';
import { AuditController } from './audit.controller.js';

@Module({ controllers: [AuditController], providers: [AuditLog, AuditSealJobs] })
export class AuditModule {}
