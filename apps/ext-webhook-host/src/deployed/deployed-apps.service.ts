import { Injectable } from '@nestjs/common';

/** The version of an app that runs. */
export interface DeployedApp {
  app_id: string;
  version: string;
  /** Of the canonical document, in hexadecimal. */
  sha256: string;
  /** Of its developer: where its webhooks run. */
  tenant_id: string;
  developer_id: string;
  is_active: boolean;
}

/** Which version of each app runs. At most 5 s old, or the last known answer while the gateway is away. */
@Injectable()
export abstract class DeployedApps {
  /** Null when there is no such app or it has no version. @throws AppError 503 when the gateway is away and the app was never asked for. */
  abstract find(appId: string): Promise<DeployedApp | null>;
}
