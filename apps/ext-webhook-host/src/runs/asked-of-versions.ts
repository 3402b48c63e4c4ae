import { Injectable } from '@nestjs/common';
import { capabilitiesOf, hostsOf } from '@platform/app-document';
import { isUnavailable } from '@platform/platform';
import { DeployedApps, type DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import type { CompiledApp } from '../handlers/handler-runtime.js';

/** After so long it is asked again whether a version runs, after all. */
const RUNS_AGAIN_AFTER_MS = 5_000;

export interface RunningVersion {
  app: { app_id: string };
  /** Of its document. */
  sha256: string;
  compiled: CompiledApp;
}

/**
 * What versions ask for, and are held to: as the gateway says of a version that runs. One that runs no more, or of which the gateway says
 * nothing, is held to what its document asks for.
 */
@Injectable()
export class AskedOfVersions {
  /** What documents ask for of which the gateway has said nothing. */
  private readonly found = new WeakMap<CompiledApp, { capabilities: readonly string[]; until: number }>();

  constructor(private readonly apps: DeployedApps) {}

  /** Where it may send requests; null: anywhere. */
  async hosts({ app, sha256, compiled }: RunningVersion): Promise<readonly string[] | null> {
    const deployed = await this.running(app.app_id, sha256);
    return deployed ? deployed.hosts : hostsOf(compiled.document.app);
  }

  /**
   * What of its context it may use; null: all. That never changes for the same content, so what the gateway has said counts however long ago that was, and
   * is answered at once: only the first run of a version waits.
   */
  capabilities(version: RunningVersion): readonly string[] | null | Promise<readonly string[] | null> {
    const told = this.apps.lastTold(version.app.app_id);
    const capabilities = told?.sha256 === version.sha256 ? told.capabilities : undefined;
    return capabilities === undefined ? this.askForCapabilities(version) : capabilities;
  }

  private async askForCapabilities({ app, sha256, compiled }: RunningVersion): Promise<readonly string[] | null> {
    const found = this.found.get(compiled);
    if (found && performance.now() < found.until) return found.capabilities;
    const told = (await this.running(app.app_id, sha256))?.capabilities;
    if (told !== undefined) return told;
    const capabilities = found?.capabilities ?? capabilitiesOf(compiled.document.app);
    this.found.set(compiled, { capabilities, until: performance.now() + RUNS_AGAIN_AFTER_MS });
    return capabilities;
  }

  /** Null for a version that runs no more, and while the gateway cannot be asked. */
  private async running(appId: string, sha256: string): Promise<DeployedApp | null> {
    const known = await this.deployed(appId);
    const deployed = known?.sha256 === sha256 ? known : await this.deployed(appId, performance.now());
    return deployed?.sha256 === sha256 ? deployed : null;
  }

  private deployed(appId: string, since?: number): Promise<DeployedApp | null> {
    return this.apps.find(appId, since).catch((error: unknown) => {
      if (isUnavailable(error, 'gateway')) return null;
      throw error;
    });
  }
}
