import { Module } from '@nestjs/common';
import { DeployMetrics } from './deploy-metrics.js';
import { DevelopmentVersions } from './development-versions.js';

/** What is counted and deleted of versions. */
@Module({ providers: [DeployMetrics, DevelopmentVersions], exports: [DeployMetrics, DevelopmentVersions] })
export class VersionsModule {}
