import { Module } from '@nestjs/common';
import { DeployMetrics } from './deploy-metrics.js';
import { DeveloperNotices } from './developer-notices.js';
import { DevelopmentVersions } from './development-versions.js';

/** Metrics, notices to developers, and the deletion of development versions. */
@Module({
  providers: [DeployMetrics, DeveloperNotices, DevelopmentVersions],
  exports: [DeployMetrics, DeveloperNotices, DevelopmentVersions],
})
export class VersionsModule {}
