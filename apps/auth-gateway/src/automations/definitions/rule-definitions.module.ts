import { Module } from '@nestjs/common';
import { CallsModule } from '../../extensions/calls/calls.module.js';
import { EventCatalogue } from './event-catalogue.js';
import { RuleDefinitions } from './rule-definitions.js';

/** Definitions of rules. */
@Module({ imports: [CallsModule], providers: [EventCatalogue, RuleDefinitions], exports: [RuleDefinitions] })
export class RuleDefinitionsModule {}
