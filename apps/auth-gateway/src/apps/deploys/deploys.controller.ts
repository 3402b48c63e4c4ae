import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CreateDeployRequest, DeployResponse, ListDeploysQuery, SyncManifestRequest, SyncManifestResponse } from '@platform/contracts';
import { Access, CurrentCaller, UserLimit, type Caller } from '@platform/guards';
import { DEPLOYS_LIMIT } from './deploys.limits.js';
import { Deploys } from './deploys.service.js';
import { ManifestSync } from './manifest-sync.service.js';

@ApiTags('Developer portal')
@Controller('v1/developer/apps/:app_id')
export class DeploysController {
  constructor(
    private readonly deploys: Deploys,
    private readonly manifests: ManifestSync,
  ) {}

  /**
   * Deploys a version: the document that comes along, or a stored one, so an older one is a rollback. Answers at once; the deploy tells
   * how far it is. A trusted backend records a finished deploy with `commit_sha`.
   */
  @Post('deploys')
  @Access('bearerOrService', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(DEPLOYS_LIMIT)
  createDeploy(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: CreateDeployRequest,
  ): Promise<DeployResponse> {
    return this.deploys.create(caller, appId, request);
  }

  /** The deploys of an app, the newest first. */
  @Get('deploys')
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'developer' })
  listDeploys(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Query() query: ListDeploysQuery,
  ): Promise<DeployResponse[]> {
    return this.deploys.list(caller, appId, query);
  }

  /** How far a deploy is, and why it failed. */
  @Get('deploys/:deploy_id')
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'developer' })
  getDeploy(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Param('deploy_id') deployId: string,
  ): Promise<DeployResponse> {
    return this.deploys.get(caller, appId, deployId);
  }

  /**
   * Takes what a pipeline outside has built: the manifest of a version, which is then deployed, the icon, and whether the app is one of the
   * system.
   */
  @Post('_sync_manifest')
  @HttpCode(200)
  @Access('service', { permission: 'manifests' })
  syncManifest(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: SyncManifestRequest,
  ): Promise<SyncManifestResponse> {
    return this.manifests.sync(caller, appId, request);
  }
}
