import { Module } from '@nestjs/common';
import { DeployMetrics } from './deploy-metrics.js';
import { DeveloperNotices } from './developer-notices.js';
import { DevelopmentVersions } from './development-versions.js';

/** What is counted and deleted of versions, and told of them. */
@Module({
  providers: [DeployMetrics, DeveloperNotices, DevelopmentVersions],
  exports: [DeployMetrics, DeveloperNotices, DevelopmentVersions],
})
export class VersionsModule {}
