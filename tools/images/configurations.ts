import { loadConfig as gatewayConfig } from '../../apps/auth-gateway/src/config.js';
import { loadConfig as hostConfig } from '../../apps/ext-webhook-host/src/config.js';
import { loadConfig as panelConfig } from '../../apps/panel/src/config.js';
import { loadConfig as registryConfig } from '../../apps/registry/src/config.js';
import { PRODUCTION_TEST_KEYS } from '../../libs/testing/src/stripe/keys.js';

interface Configuration {
  PORT: number;
  METRICS_PORT: number;
  SHUTDOWN_TIMEOUT_SECONDS: number;
  DRAIN_SECONDS: number;
}

const LOADERS: Record<string, (env: NodeJS.ProcessEnv) => Configuration> = {
  'auth-gateway': gatewayConfig,
  registry: registryConfig,
  'ext-webhook-host': hostConfig,
  panel: panelConfig,
};

const NEEDS_BUBBLEWRAP = [undefined, 'auto', 'bubblewrap'];

/** True if the contents of an image (`Target.contents`) are a service with its worker. */
export const isService = (contents = ''): boolean => Object.hasOwn(LOADERS, contents);

/**
 * Reads the service's variables the way it does in production, without development defaults.
 * Variables that only development allows are removed or replaced. The sandbox does not use
 * bubblewrap, which is not on every machine that runs tests.
 * @throws ConfigError with the missing or malformed variable.
 */
export function configurationOf(contents: string, env: Record<string, string>): Configuration {
  const load = LOADERS[contents];
  if (!load) throw new Error(`${contents} is not a service.`);
  return load({
    ...env,
    NODE_ENV: 'production',
    TEST_PAYMENTS_URL: '',
    ...(env['STRIPE_SECRET_KEY'] && PRODUCTION_TEST_KEYS),
    ...(NEEDS_BUBBLEWRAP.includes(env['CODE_SANDBOX']) && { CODE_SANDBOX: 'permission' }),
  });
}
