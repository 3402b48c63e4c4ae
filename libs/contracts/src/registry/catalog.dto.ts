import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ACTION_TYPES, type ActionType } from '../tool-manifest.js';
import { IsQueryInteger } from '../validators.js';
import { IsPlatformId } from './apps.dto.js';
import { IsName, RegistrySkeletonSection, RegistryTool } from './tools.dto.js';

export class CatalogQuery {
  /** Platform id of the user. Users can omit their own id. */
  @IsOptional() @IsPlatformId() user_id?: string;
}

/**
 * Pages through functions. To get the next page, send the `app_id` and the `name` of the last
 * function as `after_app_id` and `after_name`.
 */
export class CatalogToolsQuery extends CatalogQuery {
  @IsOptional() @IsName() after_app_id?: string;
  @IsOptional() @IsName() after_name?: string;
  @IsQueryInteger({ minimum: 1, maximum: 1_000, default: 200 }) limit: number = 200;
}

export class CatalogApp {
  app_id!: string;
  name!: string;
  description!: string;
  version!: string;
  category!: string;
  tools!: RegistryTool[];
  skeleton_sections!: RegistrySkeletonSection[];
}

export class CatalogResponse {
  user_id!: string;
  /** Active apps that the user has installed and that serve a version, ordered by id. */
  apps!: CatalogApp[];
}

export class CatalogTool {
  app_id!: string;
  name!: string;
  description!: string;
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  params_schema!: Record<string, unknown>;
}
