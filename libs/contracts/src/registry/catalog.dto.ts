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
  /** The `app_id` of the last function of the previous page. */
  @IsOptional() @IsName() after_app_id?: string;
  /** The `name` of the last function of the previous page. */
  @IsOptional() @IsName() after_name?: string;
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 1_000, default: 200 }) limit: number = 200;
}

export class CatalogApp {
  /** Id of the app. */
  app_id!: string;
  /** Name of the app, for people. */
  name!: string;
  /** Description of the app. */
  description!: string;
  /** Version that is served. */
  version!: string;
  /** Category of the app. */
  category!: string;
  /** Functions of the version. */
  tools!: RegistryTool[];
  /** Sections of the initial state of a session. */
  skeleton_sections!: RegistrySkeletonSection[];
}

export class CatalogResponse {
  /** Id of the user. */
  user_id!: string;
  /** Active apps that the user has installed and that serve a version, ordered by id. */
  apps!: CatalogApp[];
}

export class CatalogTool {
  /** Id of the app. */
  app_id!: string;
  /** Name of the function. */
  name!: string;
  /** Description of the function, for people and AI models. */
  description!: string;
  /** Effect of the function. */
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  /** JSON Schema 2020-12 of the parameters. */
  params_schema!: Record<string, unknown>;
}
