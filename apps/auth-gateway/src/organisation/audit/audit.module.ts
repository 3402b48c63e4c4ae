import { Module } from '@nestjs/common';
import { AuditLogService } from './audit-log.service.js';
import { AuditSealWorker } from './audit-seal.worker.js';
import { AuditController } from './audit.controller.js';

@Module({ controllers: [AuditController], providers: [AuditLogService, AuditSealWorker] })
export class AuditModule {}
