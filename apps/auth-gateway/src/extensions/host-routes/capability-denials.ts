import { Inject, Injectable } from '@nestjs/common';
import type { CapabilityDenialRequest } from '@platform/contracts';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../audit/record-audit.js';

/** What apps reached for that was not theirs. */
@Injectable()
export class CapabilityDenials {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** Writes it to the audit log of the tenant in which it happened. */
  record({ app_id, version, capability, call, user_id, tenant_id }: CapabilityDenialRequest): Promise<void> {
    return recordAudit(this.dataSource.manager, {
      action: 'app.capability_denied',
      target: { type: 'app', id: app_id },
      tenantId: tenant_id,
      metadata: { version, capability, call, ...(user_id !== null && { user_id }) },
    });
  }
}
