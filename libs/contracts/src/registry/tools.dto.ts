import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsObject, IsOptional, MinLength, ValidateNested } from 'class-validator';
import {
  ACTION_TYPES,
  type ActionType,
  type SkeletonSection,
  type ToolDefinition,
  type ToolManifest,
} from '../tool-manifest.js';
import { NeedsOneOf, NeedsWith } from '../schema-rules.js';
import { IsLine, IsOneOf, IsText, IsTrueOrFalse, IsWholeNumber } from '../validators.js';
import { IsAppVersion, IsWords } from './apps.dto.js';
import { IsJsonObject } from './json-object.js';

/** Maximum size of the tools, or of the skeleton sections, of one version as JSON. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;
/**
 * Maximum number of characters in the description of a function. The same value is in
 * `libs/app-document/src/schema/forms.ts`.
 */
export const MAX_TOOL_DESCRIPTION = 10_000;
const MAX_TOOLS = 500;
const MAX_SECTIONS = 100;
const MAX_SCHEMA_BYTES = 64 * 1024;

/** A function as a pipeline pushes it. Only `name` is required. */
export class PushedTool {
  /** Name of the function. */
  @IsName() name!: string;
  /** Description of the function, with the same maximum as in an app document. */
  @IsOptional() @IsText(MAX_TOOL_DESCRIPTION) description?: string;
  /** Effect of the function. Default: `destructive`. */
  @IsOptional() @IsOneOf(ACTION_TYPES, 'destructive') action_type?: ActionType;
  /** JSON Schema 2020-12 of the parameters. */
  @IsOptional() @IsJsonObject(MAX_SCHEMA_BYTES) params_schema?: Record<string, unknown>;
  /** JSON Schema 2020-12 of the result; null if the app declares none. */
  @IsOptional() @IsJsonObject(MAX_SCHEMA_BYTES) return_schema?: Record<string, unknown> | null;
  /** Scopes that the caller must have. Default: none. */
  @IsOptional() @IsWords() required_scopes?: string[];
  /** Name of the activity of a worker that runs the function. */
  @IsOptional() @IsName() activity?: string;
  /** Topics of the function. */
  @IsOptional() @IsWords() domains?: string[];
}

/** A skeleton section as a pipeline pushes it. `section_name` or `name` is required. */
@NeedsOneOf('section_name', 'name')
export class PushedSection {
  /** Name of the section. */
  @IsOptional() @IsName() section_name?: string;
  /** Same as `section_name`. If both are present, `section_name` is used. */
  @IsOptional() @IsName() name?: string;
  /** Name of the function or activity that creates the section. */
  @IsName() refresh_activity!: string;
  /**
   * Name of the function or activity that decides if the user is notified of a change; null if
   * there is none.
   */
  @IsOptional() @IsName() alert_activity?: string | null;
  /** Seconds until the section is refreshed. */
  @IsWholeNumber(1, 86_400 * 30, 300) ttl: number = 300;
  /** True if changes of the section are checked for a notification. */
  @IsOptional() @IsTrueOrFalse() alert_on_change?: boolean;
}

/** Replaces both lists of a version. */
@NeedsWith('release', false, 'version')
export class PutToolsRequest {
  /** All functions of the version. Each name must be unique. */
  @IsListOf(PushedTool, MAX_TOOLS)
  @ArrayUnique((tool: PushedTool | null) => tool?.name, { message: 'Two tools have the same name' })
  tools!: PushedTool[];
  /** All skeleton sections of the version. Each name must be unique. */
  @IsListOf(PushedSection, MAX_SECTIONS)
  @ArrayUnique((section: PushedSection | null) => section?.section_name ?? section?.name, {
    message: 'Two sections have the same name',
  })
  skeleton_sections!: PushedSection[];
  /** Must be the app of the path. Accepted because answers contain it. */
  @IsOptional() @IsText(64) app_id?: string;
  /** Version of the manifest. Absent: the version that is served, or `0.0.0` if none is. */
  @IsOptional() @IsAppVersion() version?: string | null;
  /**
   * False stores the manifest without serving it. `version` is then required and must not be the
   * served version. A push by the owner of an app never serves; only a deploy does.
   */
  @IsOptional() @IsTrueOrFalse() release?: boolean = true;
}

export class PutToolsResponse {
  /** Id of the app. */
  app_id!: string;
  /** Version of the manifest. */
  version!: string;
  /** Number of functions. */
  @ApiProperty({ type: 'integer' }) tools_registered!: number;
  /** Number of skeleton sections. */
  @ApiProperty({ type: 'integer' }) skeleton_sections_registered!: number;
  /** True if this version is served now. */
  released!: boolean;
}

export class GetToolsQuery {
  /** Version. Absent: the version that is served. */
  @IsOptional() @IsAppVersion() version?: string;
}

export class RegistryTool implements ToolDefinition {
  /** Name of the function. */
  name!: string;
  /** Description of the function, for people and AI models. */
  description!: string;
  /** Effect of the function. */
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  /** JSON Schema 2020-12 of the parameters. */
  params_schema!: Record<string, unknown>;
  /** JSON Schema 2020-12 of the result; null if the app declares none. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) return_schema!: Record<
    string,
    unknown
  > | null;
  /** Scopes that the caller must have. `*` alone: none. */
  required_scopes!: string[];
  /** Present only if the pipeline pushed it. */
  activity?: string;
  /** Present only if the pipeline pushed it. */
  domains?: string[];
}

export class RegistrySkeletonSection implements SkeletonSection {
  /** Name of the section. */
  section_name!: string;
  /** Name of the function or activity that creates the section. */
  refresh_activity!: string;
  /**
   * Name of the function or activity that decides if the user is notified of a change; null if
   * there is none.
   */
  alert_activity!: string | null;
  /** Seconds until the section is refreshed. */
  @ApiProperty({ type: 'integer' }) ttl!: number;
  /** True if changes of the section are checked for a notification. */
  alert_on_change!: boolean;
}

export class ToolManifestResponse implements Omit<ToolManifest, 'version'> {
  /** Id of the app. */
  app_id!: string;
  /** Version that is served; null, with two empty lists, if none is. */
  version!: string | null;
  /** Functions of the version. */
  tools!: RegistryTool[];
  /** Skeleton sections of the version. */
  skeleton_sections!: RegistrySkeletonSection[];
}

export function IsName(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ minLength: 1 }),
    IsLine(128),
    MinLength(1, { message: 'String should have at least 1 character' }),
  );
}

function IsListOf(item: new () => object, most: number): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: [item], maxItems: most }),
    IsArray({ message: 'Input should be a valid list' }),
    ArrayMaxSize(most, { message: `List should have at most ${most} items` }),
    IsObject({ each: true, message: 'Input should be a list of dictionaries' }),
    ValidateNested({ each: true }),
    Type(() => item),
  );
}
