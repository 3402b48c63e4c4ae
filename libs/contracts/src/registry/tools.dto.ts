import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsObject, IsOptional, MinLength, ValidateNested } from 'class-validator';
import { ACTION_TYPES, type ActionType, type SkeletonSection, type ToolDefinition, type ToolManifest } from '../tool-manifest.js';
import { NeedsOneOf, NeedsWith } from '../schema-rules.js';
import { IsLine, IsOneOf, IsText, IsTrueOrFalse, IsWholeNumber } from '../validators.js';
import { IsAppVersion, IsWords } from './apps.dto.js';
import { IsJsonObject } from './json-object.js';

/** Of the tools, or of the skeleton sections, of one version as JSON. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;
/** Description of one function, in characters: the same as in `libs/app-document/src/schema/forms.ts`. */
export const MAX_TOOL_DESCRIPTION = 10_000;
const MAX_TOOLS = 500;
const MAX_SECTIONS = 100;
const MAX_SCHEMA_BYTES = 64 * 1024;

/** A function as a pipeline pushes it. Beside the name all of it has a default. */
export class PushedTool {
  @IsName() name!: string;
  /** The same length as in a document. */
  @IsOptional() @IsText(MAX_TOOL_DESCRIPTION) description?: string;
  /** Who does not say is taken for `destructive`. */
  @IsOptional() @IsOneOf(ACTION_TYPES, 'destructive') action_type?: ActionType;
  /** JSON Schema 2020-12 of the params. */
  @IsOptional() @IsJsonObject(MAX_SCHEMA_BYTES) params_schema?: Record<string, unknown>;
  @IsOptional() @IsJsonObject(MAX_SCHEMA_BYTES) return_schema?: Record<string, unknown> | null;
  @IsOptional() @IsWords() required_scopes?: string[];
  /** The name of the activity that runs it, where a worker has one. */
  @IsOptional() @IsName() activity?: string;
  @IsOptional() @IsWords() domains?: string[];
}

/** A section as a pipeline pushes it. It needs `section_name` or `name`. */
@NeedsOneOf('section_name', 'name')
export class PushedSection {
  @IsOptional() @IsName() section_name?: string;
  /** The same as `section_name`, which wins where both are given. */
  @IsOptional() @IsName() name?: string;
  @IsName() refresh_activity!: string;
  @IsOptional() @IsName() alert_activity?: string | null;
  /** Seconds. */
  @IsWholeNumber(1, 86_400 * 30, 300) ttl: number = 300;
  @IsOptional() @IsTrueOrFalse() alert_on_change?: boolean;
}

/** Both lists replace those of the version as a whole. */
@NeedsWith('release', false, 'version')
export class PutToolsRequest {
  @IsListOf(PushedTool, MAX_TOOLS)
  @ArrayUnique((tool: PushedTool | null) => tool?.name, { message: 'Two tools have the same name' })
  tools!: PushedTool[];
  @IsListOf(PushedSection, MAX_SECTIONS)
  @ArrayUnique((section: PushedSection | null) => section?.section_name ?? section?.name, { message: 'Two sections have the same name' })
  skeleton_sections!: PushedSection[];
  /** As in what is read; the app of the path. */
  @IsOptional() @IsText(64) app_id?: string;
  /** Absent: the version that is served, or `0.0.0` where there is none. */
  @IsOptional() @IsAppVersion() version?: string | null;
  /**
   * False: hold the manifest without serving it. It then needs a `version`, and not the one that is served. What the owner of an app pushes is
   * held in any case: deploys serve.
   */
  @IsOptional() @IsTrueOrFalse() release?: boolean = true;
}

export class PutToolsResponse {
  app_id!: string;
  version!: string;
  @ApiProperty({ type: 'integer' }) tools_registered!: number;
  @ApiProperty({ type: 'integer' }) skeleton_sections_registered!: number;
  /** Whether this version is served now. */
  released!: boolean;
}

export class GetToolsQuery {
  /** Absent: the version that is served. */
  @IsOptional() @IsAppVersion() version?: string;
}

export class RegistryTool implements ToolDefinition {
  name!: string;
  description!: string;
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  params_schema!: Record<string, unknown>;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) return_schema!: Record<string, unknown> | null;
  required_scopes!: string[];
  /** Only where it was pushed. */
  activity?: string;
  /** Only where they were pushed. */
  domains?: string[];
}

export class RegistrySkeletonSection implements SkeletonSection {
  section_name!: string;
  refresh_activity!: string;
  alert_activity!: string | null;
  /** Seconds. */
  @ApiProperty({ type: 'integer' }) ttl!: number;
  alert_on_change!: boolean;
}

export class ToolManifestResponse implements Omit<ToolManifest, 'version'> {
  app_id!: string;
  /** Null, with two empty lists, when the app serves no version yet. */
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
