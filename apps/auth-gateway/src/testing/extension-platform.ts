import { TestService, Wire } from '@platform/testing';
import { loadConfig } from '../../../ext-webhook-host/src/config.js';
import { extWebhookHost } from '../../../ext-webhook-host/src/service.js';
import { DeployTest } from './deploys.js';

/** A gateway, a Registry and the real host of extensions, that know each other, on one database. */
export class ExtensionPlatform {
  private constructor(
    readonly test: DeployTest,
    readonly host: TestService,
    /** From the gateway to the host: `await wire.cut()` takes it away, `await wire.mend()` brings it back. */
    readonly wire: Wire,
  ) {}

  static async start(): Promise<ExtensionPlatform> {
    // Each needs the address of the other when it starts.
    const wire = await Wire.to('http://host-to-come');
    const test = await DeployTest.start({ WORKERS: 'inline', EXT_WEBHOOK_HOST_URL: wire.url });
    const { service } = test.gateway;
    const host = await TestService.start((env) => extWebhookHost(loadConfig(env)), {
      beside: service,
      env: { AUTH_GATEWAY_URL: service.url },
    });
    wire.leadTo(host.url);
    return new ExtensionPlatform(test, host, wire);
  }

  async stop(): Promise<void> {
    await this.host.stop();
    await this.test.stop();
    await this.wire.cut();
  }
}
