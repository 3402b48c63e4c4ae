import { TestService, TestProxy } from '@platform/testing';
import { loadConfig } from '../../../registry/src/config.js';
import { registry } from '../../../registry/src/service.js';
import { GatewayTest } from './gateway-test.js';

/** A gateway and a Registry, connected, on one database. */
export class RegistryTest {
  private constructor(
    readonly gateway: GatewayTest,
    readonly registry: TestService,
    /**
     * Connection from the gateway to the Registry: `await wire.cut()` interrupts it, `await
     * wire.restore()` restores it.
     */
    readonly wire: TestProxy,
  ) {}

  /** @param env environment of the gateway. */
  static async start(env: NodeJS.ProcessEnv = {}): Promise<RegistryTest> {
    const wire = await TestProxy.start('http://registry-to-come');
    const gateway = await GatewayTest.start({ REGISTRY_URL: wire.url, ...env });
    const service = await startRegistry(gateway);
    wire.setTarget(service.url);
    return new RegistryTest(gateway, service, wire);
  }

  /** Starts a second process of the Registry. */
  startSecondRegistry(env: NodeJS.ProcessEnv = {}): Promise<TestService> {
    return startRegistry(this.gateway, env);
  }

  async stop(): Promise<void> {
    await this.registry.stop();
    await this.gateway.stop();
    await this.wire.cut();
  }
}

const startRegistry = ({ service }: GatewayTest, env: NodeJS.ProcessEnv = {}): Promise<TestService> =>
  TestService.start((all) => registry(loadConfig(all)), {
    sharedWith: service,
    env: { AUTH_GATEWAY_URL: service.url, ...env },
  });
