import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ACTION_TYPES, type ActionType } from '../tool-manifest.js';
import { IsQueryInteger } from '../validators.js';
import { IsPlatformId } from './apps.dto.js';
import { IsName, RegistrySkeletonSection, RegistryTool } from './tools.dto.js';

export class CatalogQuery {
  /** A platform id. A user may leave out their own. */
  @IsOptional() @IsPlatformId() user_id?: string;
}

/** The next page begins behind the last function of the one before: `after_app_id` and `after_name` are its `app_id` and `name`. */
export class CatalogToolsQuery extends CatalogQuery {
  @IsOptional() @IsName() after_app_id?: string;
  @IsOptional() @IsName() after_name?: string;
  @IsQueryInteger({ minimum: 1, maximum: 1_000, default: 1_000 }) limit: number = 1_000;
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
  /** The active apps that the user has installed and that serve a version, by id; drafts too where they are the user's own. */
  apps!: CatalogApp[];
}

export class CatalogTool {
  app_id!: string;
  name!: string;
  description!: string;
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  params_schema!: Record<string, unknown>;
}
