import { Module } from '@nestjs/common';
import { MaintenanceWorker } from './maintenance.worker.js';

/** Periodic cleanup. */
@Module({ providers: [MaintenanceWorker] })
export class MaintenanceModule {}
