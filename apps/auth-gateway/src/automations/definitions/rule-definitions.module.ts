import { Module } from '@nestjs/common';
import { CallsModule } from '../../extensions/calls/calls.module.js';
import { EventCatalogueService } from './event-catalogue.service.js';
import { RuleDefinitionsService } from './rule-definitions.service.js';

/** Definitions of rules. */
@Module({
  imports: [CallsModule],
  providers: [EventCatalogueService, RuleDefinitionsService],
  exports: [RuleDefinitionsService],
})
export class RuleDefinitionsModule {}
