import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditPageResponse, AuditQuery } from '@platform/contracts';
import { Access } from '@platform/guards';
import { IgnoresUnknownQueryKeys } from '@platform/platform';
import { CurrentTenant } from '../current-tenant/current-tenant.js';
import { AuditLog } from './audit-log.service.js';

@ApiTags('Audit')
@Controller('v1/audit')
export class AuditController {
  constructor(private readonly log: AuditLog) {}

  /**
   * Changes and who made them, the newest first. For stable paging through a growing log fix `to`. Unknown query keys are ignored.
   *
   * Beyond the newest 10000 entries one page of a tenant is read at a time: another one meanwhile is 429. An earlier `to` comes to older entries at once.
   */
  @Get()
  @Access('adminOrService', { permission: 'audit' })
  @IgnoresUnknownQueryKeys()
  readAudit(@CurrentTenant() tenantId: string, @Query() query: AuditQuery): Promise<AuditPageResponse> {
    return this.log.page(tenantId, query);
  }
}
