import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateDeployRequest,
  DeployResponse,
  ListDeploysQuery,
  SyncManifestRequest,
  SyncManifestResponse,
} from '@platform/contracts';
import { Access, CurrentCaller, UserLimit, type Caller } from '@platform/guards';
import { DEPLOYS_LIMIT } from './deploys.limits.js';
import { DeploysService } from './deploys.service.js';
import { ManifestSyncService } from './manifest-sync.service.js';

@ApiTags('Developer portal')
@Controller('v1/developer/apps/:app_id')
export class DeploysController {
  constructor(
    private readonly deploys: DeploysService,
    private readonly manifests: ManifestSyncService,
  ) {}

  /**
   * Deploys a version of an app: the document in `ir_dict`, or a stored version, for example as a
   * rollback. Answers before the deploy has ended; read its progress with `GET` on the deploy. A
   * trusted backend records a deploy that has already finished by sending `commit_sha`, `status` or
   * `error_message`; a user who sends one of these gets 403.
   */
  @Post('deploys')
  @Access('bearerOrService', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(DEPLOYS_LIMIT)
  createDeploy(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: CreateDeployRequest,
  ): Promise<DeployResponse> {
    return this.deploys.createDeploy(caller, appId, request);
  }

  /** Deploys of an app, newest first. */
  @Get('deploys')
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'developer' })
  listDeploys(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Query() query: ListDeploysQuery,
  ): Promise<DeployResponse[]> {
    return this.deploys.listDeploys(caller, appId, query);
  }

  /** The progress of a deploy, and the reason if it failed. */
  @Get('deploys/:deploy_id')
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'developer' })
  getDeploy(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Param('deploy_id') deployId: string,
  ): Promise<DeployResponse> {
    return this.deploys.getDeploy(caller, appId, deployId);
  }

  /**
   * Takes the results of an external pipeline: the manifest of a version, which is then deployed
   * unless it is already, the icon, and the flag for system apps. Applies all parts of the request
   * or none.
   */
  @Post('_sync_manifest')
  @HttpCode(200)
  @Access('service', { permission: 'manifests' })
  syncManifest(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: SyncManifestRequest,
  ): Promise<SyncManifestResponse> {
    return this.manifests.syncManifest(caller, appId, request);
  }
}
