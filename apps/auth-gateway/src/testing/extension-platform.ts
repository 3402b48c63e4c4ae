import { TestService, TestProxy } from '@platform/testing';
import { loadConfig } from '../../../ext-webhook-host/src/config.js';
import { extWebhookHost } from '../../../ext-webhook-host/src/service.js';
import { DeployTest } from './deploy-test.js';

/** A gateway, a Registry and the real extension host, connected, on one database. */
export class ExtensionPlatform {
  private constructor(
    readonly test: DeployTest,
    readonly host: TestService,
    /**
     * Connection from the gateway to the host: `await wire.cut()` interrupts it, `await
     * wire.restore()` restores it.
     */
    readonly wire: TestProxy,
  ) {}

  static async start(): Promise<ExtensionPlatform> {
    const wire = await TestProxy.start('http://host-to-come');
    const test = await DeployTest.start({ WORKERS: 'inline', EXT_WEBHOOK_HOST_URL: wire.url });
    const { service } = test.gateway;
    const host = await TestService.start((env) => extWebhookHost(loadConfig(env)), {
      sharedWith: service,
      env: { AUTH_GATEWAY_URL: service.url },
    });
    wire.setTarget(host.url);
    return new ExtensionPlatform(test, host, wire);
  }

  async stop(): Promise<void> {
    await this.host.stop();
    await this.test.stop();
    await this.wire.cut();
  }
}
