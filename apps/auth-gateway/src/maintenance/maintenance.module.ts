import { Module } from '@nestjs/common';
import { Maintenance } from './maintenance.worker.js';

/** Periodic cleanup. */
@Module({ providers: [Maintenance] })
export class MaintenanceModule {}
