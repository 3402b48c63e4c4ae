import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../config.js';
import { AppConfigs } from './app-config-cache.js';
import { Denials } from './denial-reports.service.js';
import { PANEL_URL, RunContexts } from './run-context-factory.js';
import { RunEvents } from './run-events.service.js';

/** The context of runs: `ctx` and its parts. */
@Module({})
export class ContextModule {
  static register({ PANEL_URL: panelUrl }: Config, kernel: DynamicModule): DynamicModule {
    return {
      module: ContextModule,
      imports: [kernel],
      providers: [{ provide: PANEL_URL, useValue: panelUrl }, AppConfigs, Denials, RunContexts, RunEvents],
      exports: [PANEL_URL, RunContexts, RunEvents],
    };
  }
}
