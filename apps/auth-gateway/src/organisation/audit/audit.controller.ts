import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditPageResponse, AuditQuery } from '@platform/contracts';
import { Access } from '@platform/guards';
import { IgnoresUnknownQueryKeys } from '@platform/platform';
import { CurrentTenant } from '../current-tenant/current-tenant.js';
import { AuditLogService } from './audit-log.service.js';

@ApiTags('Audit')
@Controller('v1/audit')
export class AuditController {
  constructor(private readonly log: AuditLogService) {}

  /**
   * Lists the entries of the audit log: changes and their authors, newest first. For stable paging
   * through a growing log, set `to`. Unknown query keys are ignored.
   *
   * Pages beyond the newest 10000 entries are read one at a time per tenant: while one is read, a
   * request for another gets 429. To reach old entries faster, set an earlier `to`.
   */
  @Get()
  @Access('adminOrService', { permission: 'audit' })
  @IgnoresUnknownQueryKeys()
  readAudit(@CurrentTenant() tenantId: string, @Query() query: AuditQuery): Promise<AuditPageResponse> {
    return this.log.listEntries(tenantId, query);
  }
}
