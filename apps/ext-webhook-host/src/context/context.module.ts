import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../config.js';
import { AppConfigCache } from './app-config-cache.js';
import { DenialReportsService } from './denial-reports.service.js';
import { PANEL_URL, RunContextFactory } from './run-context-factory.js';
import { RunEventsService } from './run-events.service.js';

/** The context of runs: `ctx` and its parts. */
@Module({})
export class ContextModule {
  static register({ PANEL_URL: panelUrl }: Config, kernel: DynamicModule): DynamicModule {
    return {
      module: ContextModule,
      imports: [kernel],
      providers: [
        { provide: PANEL_URL, useValue: panelUrl },
        AppConfigCache,
        DenialReportsService,
        RunContextFactory,
        RunEventsService,
      ],
      exports: [PANEL_URL, RunContextFactory, RunEventsService],
    };
  }
}
