import { TestService, Wire } from '@platform/testing';
import { loadConfig } from '../../../registry/src/config.js';
import { registry } from '../../../registry/src/service.js';
import { GatewayTest } from './gateway.js';

/** A gateway and a Registry that know each other, on one database. */
export class RegistryTest {
  private constructor(
    readonly gateway: GatewayTest,
    readonly registry: TestService,
    /** From the gateway to the Registry: `await wire.cut()` takes it away, `await wire.mend()` brings it back. */
    readonly wire: Wire,
  ) {}

  /** @param env of the gateway. */
  static async start(env: NodeJS.ProcessEnv = {}): Promise<RegistryTest> {
    // Each needs the address of the other when it starts.
    const wire = await Wire.to('http://registry-to-come');
    const gateway = await GatewayTest.start({ REGISTRY_URL: wire.url, ...env });
    const service = await startRegistry(gateway);
    wire.leadTo(service.url);
    return new RegistryTest(gateway, service, wire);
  }

  /** A second process of the Registry. */
  beside(env: NodeJS.ProcessEnv = {}): Promise<TestService> {
    return startRegistry(this.gateway, env);
  }

  async stop(): Promise<void> {
    await this.registry.stop();
    await this.gateway.stop();
    await this.wire.cut();
  }
}

const startRegistry = ({ service }: GatewayTest, env: NodeJS.ProcessEnv = {}): Promise<TestService> =>
  TestService.start((all) => registry(loadConfig(all)), { beside: service, env: { AUTH_GATEWAY_URL: service.url, ...env } });
