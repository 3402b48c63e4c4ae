import { Module } from '@nestjs/common';
import { DeployMetricsService } from './deploy-metrics.service.js';
import { DeveloperNoticesService } from './developer-notices.service.js';
import { DevelopmentVersionsService } from './development-versions.service.js';

/** Metrics, notices to developers, and the deletion of development versions. */
@Module({
  providers: [DeployMetricsService, DeveloperNoticesService, DevelopmentVersionsService],
  exports: [DeployMetricsService, DeveloperNoticesService, DevelopmentVersionsService],
})
export class VersionsModule {}
