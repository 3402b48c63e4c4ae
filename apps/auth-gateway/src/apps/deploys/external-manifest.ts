import { alertActivity, JsonSchemaChecker, refreshActivity, type JsonObject } from '@platform/app-document';
import {
  ACTION_TYPES,
  APP_VERSION,
  hasAtMost,
  isRecord,
  MAX_MANIFEST_JSON_BYTES,
  MAX_TOOL_DESCRIPTION,
  type ActionType,
  type SkeletonSection,
  type ToolDefinition,
  type ToolManifest,
} from '@platform/contracts';
import { readJson, ValidationFailed, type ValidationIssue } from '@platform/platform';

const MAX_TOOLS = 500;
const MAX_NAME_LENGTH = 128;
const LOC = ['body', 'manifest_json'];
/** Allows 40 keys and 80 values per tool; the depth is that of request bodies. */
const JSON_LIMITS = { depth: 32, keys: MAX_TOOLS * 40, values: MAX_TOOLS * 80 };
const REFRESH = refreshActivity('');
const SKELETON_TTL_SECONDS = 300;

/**
 * Reads a manifest of an external pipeline and omits keys that the platform does not use.
 *
 * @param sent an object or JSON text.
 * @throws ValidationFailed with all errors; AppError 400 for JSON text with a byte order mark or
 * with the same key twice in one object.
 */
export function parseExternalManifest(sent: Record<string, unknown> | string, appId: string): ToolManifest {
  const manifest = parse(sent);
  const issues: ValidationIssue[] = [];
  const refuse = (path: (string | number)[], msg: string, type = 'value_error') => issues.push(issue(path, msg, type));

  const version = manifest['version'];
  if (typeof version !== 'string' || !APP_VERSION.test(version))
    refuse(['version'], `Input should match '${APP_VERSION.source}'`, 'string_pattern_mismatch');
  if (manifest['app_id'] !== undefined && manifest['app_id'] !== appId)
    refuse(['app_id'], 'The manifest has another app_id');
  const sentTools = manifest['tools'] ?? [];
  if (!Array.isArray(sentTools)) refuse(['tools'], 'Input should be a valid list', 'list_type');
  const rows: unknown[] = Array.isArray(sentTools) ? sentTools : [];
  if (rows.length > MAX_TOOLS) refuse(['tools'], `List should have at most ${MAX_TOOLS} items`, 'too_long');
  const names = new Set<string>();
  const schemas = new JsonSchemaChecker();
  const tools = rows.slice(0, MAX_TOOLS).flatMap((row, at) => {
    const name = isRecord(row) ? row['name'] : undefined;
    if (!isRecord(row) || typeof name !== 'string' || !isName(name)) {
      refuse(['tools', at, 'name'], `Input should be a line of 1 to ${MAX_NAME_LENGTH} characters`, 'string_type');
      return [];
    }
    if (names.has(name)) refuse(['tools', at, 'name'], 'Two tools have this name');
    names.add(name);
    return [toTool(name, row, schemas, (key, msg) => refuse(['tools', at, key], msg))];
  });
  if (issues.length) throw new ValidationFailed(issues);
  return { version: version as string, tools, skeleton_sections: sectionsOf(tools) };
}

function parse(sent: Record<string, unknown> | string): Record<string, unknown> {
  const manifest = typeof sent === 'string' ? readJson(Buffer.from(sent), JSON_LIMITS, LOC) : sent;
  if (!isRecord(manifest)) throw new ValidationFailed([issue([], 'Input should be a valid dictionary', 'dict_type')]);
  if (Buffer.byteLength(JSON.stringify(manifest)) > MAX_MANIFEST_JSON_BYTES) {
    throw new ValidationFailed([
      issue([], `Input should have at most ${MAX_MANIFEST_JSON_BYTES} bytes as JSON`, 'too_long'),
    ]);
  }
  return manifest;
}

function toTool(
  name: string,
  row: Record<string, unknown>,
  schemas: JsonSchemaChecker,
  refuse: (key: string, msg: string) => void,
): ToolDefinition {
  const {
    description = '',
    action_type = 'destructive',
    params_schema = row['parameters'],
    return_schema = null,
  } = row;
  const scopes = row['required_scopes'] ?? row['scopes'] ?? ['*'];
  if (typeof description !== 'string') refuse('description', 'Input should be a valid string');
  else if (!hasAtMost(MAX_TOOL_DESCRIPTION, description))
    refuse('description', `String should have at most ${MAX_TOOL_DESCRIPTION} characters`);
  if (!(ACTION_TYPES as readonly unknown[]).includes(action_type))
    refuse('action_type', `Input should be ${ACTION_TYPES.join(' or ')}`);
  if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === 'string'))
    refuse('scopes', 'Input should be a list of strings');
  if (return_schema !== null && !isRecord(return_schema)) refuse('return_schema', 'Input should be a valid dictionary');
  // Older pipelines describe the parameters in other formats than JSON Schema. Then any parameters
  // are accepted.
  const paramsSchema =
    isRecord(params_schema) && params_schema['type'] === 'object' ? params_schema : { type: 'object' };
  // `$schema` and `$id` have no effect on checks.
  const { $schema: _dialect, $id: _address, ...schema } = paramsSchema as JsonObject;
  const [problem] = schemas.check(schema);
  if (problem) refuse('params_schema', `Params cannot be checked against this schema: ${problem.message}`);
  return {
    name,
    description: description as string,
    action_type: action_type as ActionType,
    params_schema: schema,
    return_schema: return_schema as Record<string, unknown> | null,
    required_scopes: scopes as string[],
  };
}

/**
 * Returns the skeleton sections that a manifest defines by the names of its functions:
 * `skeleton_refresh_x` defines a section `x`, and an alert function of the same section turns
 * alerts on.
 */
function sectionsOf(tools: readonly ToolDefinition[]): SkeletonSection[] {
  const names = new Set(tools.map(({ name }) => name));
  return [...names]
    .filter((name) => name.startsWith(REFRESH))
    .map((name) => {
      const section = name.slice(REFRESH.length);
      const hasAlert = names.has(alertActivity(section));
      return {
        section_name: section,
        refresh_activity: name,
        alert_activity: hasAlert ? alertActivity(section) : null,
        ttl: SKELETON_TTL_SECONDS,
        alert_on_change: hasAlert,
      };
    });
}

const isName = (name: string): boolean =>
  name.length > 0 && hasAtMost(MAX_NAME_LENGTH, name) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);

const issue = (path: (string | number)[], msg: string, type: string): ValidationIssue => ({
  loc: [...LOC, ...path],
  msg,
  type,
});
