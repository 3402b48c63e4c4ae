import { Module } from '@nestjs/common';
import { RuleCleanup } from './rule-cleanup.js';

/** The rows of rules and of their firings. */
@Module({ providers: [RuleCleanup] })
export class RulesModule {}
