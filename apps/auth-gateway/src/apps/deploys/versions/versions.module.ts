import { Module } from '@nestjs/common';
import { DeployMetrics } from './deploy-metrics.service.js';
import { DeveloperNotices } from './developer-notices.service.js';
import { DevelopmentVersions } from './development-versions.service.js';

/** Metrics, notices to developers, and the deletion of development versions. */
@Module({
  providers: [DeployMetrics, DeveloperNotices, DevelopmentVersions],
  exports: [DeployMetrics, DeveloperNotices, DevelopmentVersions],
})
export class VersionsModule {}
