import { Module } from '@nestjs/common';
import { RuleCleanup } from './rule-cleanup.service.js';

/** Cleanup of rules and their firings. */
@Module({ providers: [RuleCleanup] })
export class RulesModule {}
