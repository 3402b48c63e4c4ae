import { Module } from '@nestjs/common';
import { CallsModule } from '../../extensions/calls/calls.module.js';
import { EventCatalogue } from './event-catalogue.service.js';
import { RuleDefinitions } from './rule-definitions.service.js';

/** Definitions of rules. */
@Module({ imports: [CallsModule], providers: [EventCatalogue, RuleDefinitions], exports: [RuleDefinitions] })
export class RuleDefinitionsModule {}
