import { call, type PlatformClient } from '@platform/client';
import { deployDocument, DeployRefused, type DeployReceipt, type DeployRequest } from '../deploying/deploy-document.js';

/** Among so many deploys the last development version is looked for. */
const LATEST = 100;

/** Deploys an app again and again, each time as a development version of its own, so that whatever runs says what it is of. */
export class DevelopmentDeploys {
  /** By the version that they lead to. */
  private readonly numbers = new Map<string, number>();

  constructor(private readonly client: PlatformClient) {}

  /** Returns the receipt, with the version. @throws DeployRefused, and as `pause` does. */
  async deploy(
    document: object,
    version: string,
    request: Pick<DeployRequest, 'userId' | 'appId' | 'pause' | 'onTrouble'>,
  ): Promise<DeployReceipt & { version: string }> {
    const { developmentVersion } = await import('@platform/app-document');
    // What is deployed already may be just this.
    let number = this.numbers.has(version) ? (this.numbers.get(version) as number) + 1 : await this.latest(request.appId, version);
    for (; ; number++) {
      const deployed = developmentVersion(version, number);
      try {
        const receipt = await deployDocument({ ...request, client: this.client, document: withVersion(document, deployed) });
        this.numbers.set(version, number);
        return { ...receipt, version: deployed };
      } catch (error) {
        if (!(error instanceof DeployRefused) || error.answer.error_code !== 'DEPLOY_VERSION_TAKEN') throw error;
      }
    }
  }

  private async latest(appId: string, version: string): Promise<number> {
    const { developmentNumber, developmentVersion } = await import('@platform/app-document');
    const params = { path: { app_id: appId }, query: { limit: LATEST } };
    const deploys = await call(this.client.GET('/v1/developer/apps/{app_id}/deploys', { params }));
    const numbers = deploys.map(({ version: deployed }) => {
      const number = deployed === null ? null : developmentNumber(deployed);
      return number !== null && developmentVersion(version, number) === deployed ? number : 1;
    });
    return Math.max(1, ...numbers);
  }
}

/** In either form of a document. */
const withVersion = (document: object, version: string): object =>
  'app' in document ? { ...document, app: { ...(document.app as object), version } } : { ...document, version };
