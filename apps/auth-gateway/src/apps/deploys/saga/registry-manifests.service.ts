import { ApiError } from '@platform/client';
import { Injectable } from '@nestjs/common';
import {
  truncateText,
  type SkeletonSection,
  type ToolDefinition,
  type ToolManifest,
  type ToolManifestResponse,
  type UpdateRegistryAppRequest,
} from '@platform/contracts';
import { isDeepStrictEqual } from 'node:util';
import { DeployErrors } from '../versions/deploys.errors.js';
import type { AppStatus } from '../../model/app.entity.js';
import { isRefusedWith } from '../../../kernel/peers/registry/registry.errors.js';
import { RegistryClient } from '../../../kernel/peers/registry/registry.client.js';

/** Fields of an app that the Registry stores too. */
export interface AppRecord {
  app_id: string;
  developer_id: string | null;
  display_name: string;
  short_description: string;
  description: string;
  category: string;
  status: AppStatus;
}

/** A version to store at the Registry. */
export interface VersionToStore {
  manifest: ToolManifest;
  /**
   * True if the manifest came from an external pipeline. The pipeline pushes to the Registry
   * itself, in a different wording.
   */
  is_outside: boolean;
  /** True if it replaces earlier content, which the Registry may still hold. */
  is_replacement: boolean;
}

/**
 * SQL for `VersionToStore.is_replacement`, with `apps a` and its version `v`. Only a draft's
 * content can be replaced at the Registry.
 */
export const IS_REPLACEMENT = "(v.replaced_at IS NOT NULL AND a.status = 'draft')";

/**
 * The Registry service refuses a request permanently, so a retry is useless. `message` is for the
 * developer.
 */
export class RegistryRefusal extends Error {
  override name = 'RegistryRefusal';
}

const MAX_DESCRIPTION_LENGTH = 2_000;
/**
 * Statuses that do not concern the content of the request, for example a token that is not accepted
 * yet or a rate limit.
 */
const RETRYABLE_STATUSES = new Set([401, 403, 408, 412, 429]);

/** Copies of the manifests of apps at the Registry service. */
@Injectable()
export class RegistryManifestsService {
  constructor(private readonly registry: RegistryClient) {}

  /**
   * Stores a version at the Registry without serving it, and checks that the stored copy is the
   * same. Safe to repeat and to run concurrently.
   *
   * @throws RegistryRefusal if the Registry refuses the manifest or holds another one for this
   * version; AppError 503 `deploy.replaced_meanwhile` if it holds another one and the content of
   * the version was replaced, so that a retry can help; ServiceUnavailable if it cannot be reached.
   */
  async storeManifest(app: AppRecord, version: VersionToStore): Promise<void> {
    let held = await this.findManifest(app.app_id, version.manifest.version);
    const { manifest, is_replacement: isReplacement } = version;
    if (!held || (isReplacement ? !isSame(held, version) : isEmpty(held) && !isEmpty(manifest)))
      held = await this.pushManifest(app, version);
    if (!isSame(held, version)) {
      if (isReplacement) throw DeployErrors.replacedMeanwhile(manifest.version);
      throw new RegistryRefusal(
        `The Registry holds other functions under version ${version.manifest.version}, pushed by another party. Deploy with a new version number.`,
      );
    }
  }

  /**
   * Sends a manifest to the Registry and returns the copy that it then holds. Creates the record of
   * the app if it is missing. If the Registry serves this version, its manifest is replaced only if
   * it is empty or the content of the version was replaced.
   *
   * @throws RegistryRefusal if the Registry refuses the manifest permanently; ServiceUnavailable if
   * it cannot be reached.
   */
  private async pushManifest(
    app: AppRecord,
    { manifest: pushed, is_replacement: isReplacement }: VersionToStore,
  ): Promise<ToolManifestResponse> {
    const { version, tools, skeleton_sections } = pushed;
    const manifest = { version, tools, skeleton_sections };
    const hold = () => this.registry.putTools(app.app_id, { ...manifest, release: false });
    await hold()
      .catch(async (error: unknown) => {
        if (isRefusedWith(error, 'app.version_is_served')) {
          const { value, etag } = await this.registry.getTools(app.app_id);
          if (isReplacement || isEmpty(value))
            return this.registry.putTools(app.app_id, { ...manifest, release: true, ifMatch: etag });
        }
        if (!isRefusedWith(error, 'app.not_found')) throw error;
        await this.createApp(app);
        return hold();
      })
      .catch(throwRegistryRefusal);
    const held = await this.findManifest(app.app_id, version);
    if (!held) throw new Error(`The Registry took version ${version} of ${app.app_id} and does not hold it.`);
    return held;
  }

  private async createApp(app: AppRecord): Promise<void> {
    await this.registry.createApp({ app_id: app.app_id, ...registryFields(app) }).catch((error: unknown) => {
      if (!isRefusedWith(error, 'app.exists')) throw error;
    });
  }

  private async findManifest(appId: string, version: string): Promise<ToolManifestResponse | null> {
    try {
      return (await this.registry.getTools(appId, version)).value;
    } catch (error) {
      if (isRefusedWith(error, 'app.not_found') || isRefusedWith(error, 'app.version_not_found')) return null;
      throw error;
    }
  }
}

/** The app's fields with the names that the Registry uses. */
export const registryFields = (app: AppRecord) =>
  ({
    display_name: app.display_name,
    description: truncateText(app.short_description || app.description, MAX_DESCRIPTION_LENGTH),
    category: app.category,
    status: app.status,
    ...(app.developer_id !== null && { owner_id: app.developer_id }),
  }) satisfies UpdateRegistryAppRequest;

/**
 * Throws an error of the Registry again, as RegistryRefusal if a retry is useless.
 *
 * @throws RegistryRefusal for an answer below 500 that is not 401, 403, 408, 412 or 429; otherwise
 * the error itself.
 */
export function throwRegistryRefusal(error: unknown): never {
  if (error instanceof ApiError && error.status < 500 && !RETRYABLE_STATUSES.has(error.status)) {
    throw new RegistryRefusal(`The Registry refused the version: ${error.message}`, { cause: error });
  }
  throw error;
}

const isEmpty = ({ tools, skeleton_sections: sections }: Pick<ToolManifest, 'tools' | 'skeleton_sections'>): boolean =>
  !tools.length && !sections.length;

function isSame(held: ToolManifestResponse, { manifest, is_outside: isOutside }: VersionToStore): boolean {
  if (isOutside) return isDeepStrictEqual(namesOf(held.tools), namesOf(manifest.tools));
  return (
    isDeepStrictEqual(held.tools.map(definitionOf), manifest.tools.map(definitionOf)) &&
    isDeepStrictEqual(held.skeleton_sections.map(sectionOf), manifest.skeleton_sections.map(sectionOf))
  );
}

export const namesOf = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name).sort();

/**
 * The fields of a tool that are compared. Omits fields that only direct callers of the Registry
 * set.
 */
const definitionOf = (tool: ToolDefinition): ToolDefinition => ({
  name: tool.name,
  description: tool.description,
  action_type: tool.action_type,
  params_schema: tool.params_schema,
  return_schema: tool.return_schema,
  required_scopes: tool.required_scopes,
});

const sectionOf = (section: SkeletonSection): SkeletonSection => ({
  section_name: section.section_name,
  refresh_activity: section.refresh_activity,
  alert_activity: section.alert_activity,
  ttl: section.ttl,
  alert_on_change: section.alert_on_change,
});
