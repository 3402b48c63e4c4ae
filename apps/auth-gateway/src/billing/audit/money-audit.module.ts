import { PlansModule } from '@platform/billing';
import { Module } from '@nestjs/common';
import { MoneyAuditService } from './money-audit.service.js';

/** The audit log of money. */
@Module({ imports: [PlansModule], providers: [MoneyAuditService] })
export class MoneyAuditModule {}
