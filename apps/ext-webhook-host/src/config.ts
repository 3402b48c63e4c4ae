import { keyring, parseConfig, serviceConfig, servicePorts } from '@platform/platform';
import { endpoints } from './egress/egress-url.js';

const specification = {
  ...serviceConfig,
  ...servicePorts(4002),
  SECRET_KEYS: keyring({ desc: '32 random bytes as id:base64; several, newest first, to rotate' }),
  EGRESS_ALLOW: endpoints({
    default: new Set<string>(),
    desc: 'addresses that extensions may call although they are not public, as address:port,address:port',
  }),
};

export const loadConfig = (env: NodeJS.ProcessEnv) => parseConfig(specification, env);

export type Config = ReturnType<typeof loadConfig>;
