import { Injectable } from '@nestjs/common';
import { capabilitiesOf, hostsOf } from '@platform/app-document';
import { isUnavailable } from '@platform/platform';
import { DeployedAppsService, type DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import type { CompiledApp } from '../handlers/handler-runtime.js';

/** Time after which the gateway is asked again about a version that was not running. */
const RUNS_AGAIN_AFTER_MS = 5_000;

export interface RunningVersion {
  app: { app_id: string };
  /** Hash of its document. */
  sha256: string;
  compiled: CompiledApp;
}

/**
 * Hosts and capabilities that are enforced on the runs of a version. The answer of the gateway
 * applies to the running version. For another version, or without an answer, the version's own
 * declaration applies: the document that the developer deployed.
 */
@Injectable()
export class VersionPermissionsService {
  /** Capabilities from documents, for versions about which the gateway has not answered. */
  private readonly found = new WeakMap<CompiledApp, { capabilities: readonly string[]; until: number }>();

  constructor(private readonly apps: DeployedAppsService) {}

  /**
   * Hosts to which the version may send requests; `*` is any host. The answer of the gateway
   * applies (its last one while it is unreachable) if it is about this version, otherwise the
   * declaration in the version's document.
   */
  async findAllowedHosts({ app, sha256, compiled }: RunningVersion): Promise<readonly string[]> {
    const deployed = await this.running(app.app_id, sha256);
    return deployed ? deployed.hosts : hostsOf(compiled.document.app);
  }

  /**
   * Members of the context that the version may use. They never change for the same content, so an
   * earlier answer of the gateway about this version is returned at once; only without one the run
   * waits for the gateway. If the answer is about another version, or there is none, the
   * declaration in the version's document applies.
   */
  findAllowedCapabilities(version: RunningVersion): readonly string[] | Promise<readonly string[]> {
    const told = this.apps.findCachedApp(version.app.app_id);
    return told?.sha256 === version.sha256 ? told.capabilities : this.askForCapabilities(version);
  }

  private async askForCapabilities({ app, sha256, compiled }: RunningVersion): Promise<readonly string[]> {
    const found = this.found.get(compiled);
    if (found && performance.now() < found.until) return found.capabilities;
    const told = await this.running(app.app_id, sha256);
    if (told) return told.capabilities;
    const capabilities = found?.capabilities ?? capabilitiesOf(compiled.document.app);
    this.found.set(compiled, { capabilities, until: performance.now() + RUNS_AGAIN_AFTER_MS });
    return capabilities;
  }

  /**
   * The deployed app, if it runs this version. Null if it runs another one, or if the gateway is
   * unreachable and its last answer, if there was one, named no version.
   */
  private async running(appId: string, sha256: string): Promise<DeployedApp | null> {
    const known = await this.deployed(appId);
    const deployed = known?.sha256 === sha256 ? known : await this.deployed(appId, performance.now());
    return deployed?.sha256 === sha256 ? deployed : null;
  }

  private deployed(appId: string, since?: number): Promise<DeployedApp | null> {
    return this.apps.findApp(appId, since).catch((error: unknown) => {
      if (isUnavailable(error, 'gateway')) return null;
      throw error;
    });
  }
}
