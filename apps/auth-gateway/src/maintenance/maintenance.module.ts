import { Module } from '@nestjs/common';
import { Maintenance } from './maintenance.js';

/** What is swept up from time to time. */
@Module({ providers: [Maintenance] })
export class MaintenanceModule {}
