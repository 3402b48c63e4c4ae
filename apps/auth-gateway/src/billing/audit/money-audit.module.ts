import { PlansModule } from '@platform/billing';
import { Module } from '@nestjs/common';
import { MoneyAuditService } from './money-audit.service.js';

@Module({ imports: [PlansModule], providers: [MoneyAuditService] })
export class MoneyAuditModule {}
