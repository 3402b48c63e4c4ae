import { Module } from '@nestjs/common';
import { TokensModule } from '../identity/tokens/tokens.module.js';
import { Maintenance } from './maintenance.js';

/** What is swept up from time to time. */
@Module({ imports: [TokensModule], providers: [Maintenance] })
export class MaintenanceModule {}
