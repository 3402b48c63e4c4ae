import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsObject, IsOptional, MinLength, ValidateNested } from 'class-validator';
import { ACTION_TYPES, type ActionType, type SkeletonSection, type ToolDefinition, type ToolManifest } from '../tool-manifest.js';
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
  @IsName() name!: string;
  /** Description of the function, with the same maximum as in an app document. */
  @IsOptional() @IsText(MAX_TOOL_DESCRIPTION) description?: string;
  /** Effect of the function. Default: `destructive`. */
  @IsOptional() @IsOneOf(ACTION_TYPES, 'destructive') action_type?: ActionType;
  /** JSON Schema 2020-12 of the parameters. */
  @IsOptional() @IsJsonObject(MAX_SCHEMA_BYTES) params_schema?: Record<string, unknown>;
  @IsOptional() @IsJsonObject(MAX_SCHEMA_BYTES) return_schema?: Record<string, unknown> | null;
  @IsOptional() @IsWords() required_scopes?: string[];
  /** Name of the activity of a worker that runs the function. */
  @IsOptional() @IsName() activity?: string;
  @IsOptional() @IsWords() domains?: string[];
}

/** A skeleton section as a pipeline pushes it. `section_name` or `name` is required. */
@NeedsOneOf('section_name', 'name')
export class PushedSection {
  @IsOptional() @IsName() section_name?: string;
  /** Same as `section_name`. If both are present, `section_name` is used. */
  @IsOptional() @IsName() name?: string;
  @IsName() refresh_activity!: string;
  @IsOptional() @IsName() alert_activity?: string | null;
  /** Seconds until the section is refreshed. */
  @IsWholeNumber(1, 86_400 * 30, 300) ttl: number = 300;
  @IsOptional() @IsTrueOrFalse() alert_on_change?: boolean;
}

/** Replaces both lists of a version. */
@NeedsWith('release', false, 'version')
export class PutToolsRequest {
  @IsListOf(PushedTool, MAX_TOOLS)
  @ArrayUnique((tool: PushedTool | null) => tool?.name, { message: 'Two tools have the same name' })
  tools!: PushedTool[];
  @IsListOf(PushedSection, MAX_SECTIONS)
  @ArrayUnique((section: PushedSection | null) => section?.section_name ?? section?.name, { message: 'Two sections have the same name' })
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
  app_id!: string;
  version!: string;
  @ApiProperty({ type: 'integer' }) tools_registered!: number;
  @ApiProperty({ type: 'integer' }) skeleton_sections_registered!: number;
  /** True if this version is served now. */
  released!: boolean;
}

export class GetToolsQuery {
  /** Version. Absent: the version that is served. */
  @IsOptional() @IsAppVersion() version?: string;
}

export class RegistryTool implements ToolDefinition {
  name!: string;
  description!: string;
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  params_schema!: Record<string, unknown>;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) return_schema!: Record<string, unknown> | null;
  required_scopes!: string[];
  /** Present only if the pipeline pushed it. */
  activity?: string;
  /** Present only if the pipeline pushed it. */
  domains?: string[];
}

export class RegistrySkeletonSection implements SkeletonSection {
  section_name!: string;
  refresh_activity!: string;
  alert_activity!: string | null;
  /** Seconds until the section is refreshed. */
  @ApiProperty({ type: 'integer' }) ttl!: number;
  alert_on_change!: boolean;
}

export class ToolManifestResponse implements Omit<ToolManifest, 'version'> {
  app_id!: string;
  /** Version that is served; null, with two empty lists, if none is. */
  version!: string | null;
  tools!: RegistryTool[];
  skeleton_sections!: RegistrySkeletonSection[];
}

export function IsName(): PropertyDecorator {
  return applyDecorators(ApiProperty({ minLength: 1 }), IsLine(128), MinLength(1, { message: 'String should have at least 1 character' }));
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
