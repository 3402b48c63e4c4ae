import { Module } from '@nestjs/common';
import { RuleLifetimes } from './rule-cleanup.js';

/** The rows of rules and of their firings. */
@Module({ providers: [RuleLifetimes] })
export class RulesModule {}
