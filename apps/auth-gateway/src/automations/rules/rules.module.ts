import { Module } from '@nestjs/common';
import { RuleCleanupService } from './rule-cleanup.service.js';

/** Cleanup of rules and their firings. */
@Module({ providers: [RuleCleanupService] })
export class RulesModule {}
