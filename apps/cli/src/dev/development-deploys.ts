import { call, type PlatformClient } from '@platform/client';
import { deployDocument, DeployRefused, type DeployReceipt, type DeployRequest } from '../deploying/deploy-document.js';

/** Number of deploys to search for the last development version. */
const LATEST = 100;

/**
 * Deploys an app repeatedly, each time as a new development version (`1.2.0-dev.7`), so that each
 * running version can be identified.
 */
export class DevelopmentDeploys {
  /** Last development number, by the version it leads to. */
  private readonly numbers = new Map<string, number>();

  constructor(private readonly client: PlatformClient) {}

  /**
   * Deploys the document as the next free development version before `version`, such as
   * `1.2.0-dev.7` before `1.2.0`. Returns the receipt and the deployed version. The first deploy
   * keeps the latest development version if that has the same content.
   *
   * @throws DeployRefused if the platform refuses the deploy, except for a version that is taken;
   * ApiError if it refuses the request, ConnectionError if it does not answer for two minutes; the
   * errors of `pause`.
   */
  async deploy(
    document: object,
    version: string,
    request: Pick<DeployRequest, 'userId' | 'appId' | 'pause' | 'onTrouble'>,
  ): Promise<DeployReceipt & { version: string }> {
    const { developmentVersion } = await import('@platform/app-document');
    // The first try uses the latest number, since the same content may already be deployed under
    // it.
    let number = this.numbers.has(version)
      ? (this.numbers.get(version) as number) + 1
      : await this.latest(request.appId, version);
    for (; ; number++) {
      const deployed = developmentVersion(version, number);
      try {
        const receipt = await deployDocument({
          ...request,
          client: this.client,
          document: withVersion(document, deployed),
        });
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

/** Sets the version in a copy of a document, in either of its two forms. */
const withVersion = (document: object, version: string): object =>
  'app' in document ? { ...document, app: { ...(document.app as object), version } } : { ...document, version };
