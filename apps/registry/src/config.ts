import { baseUrl, parseConfig, serviceConfig, servicePorts, serviceToken } from '@platform/platform';

export const specification = {
  ...serviceConfig,
  ...servicePorts(4001),
  AUTH_GATEWAY_SERVICE_TOKEN: serviceToken({
    devDefault: '',
    desc: 'the token named registry in the SERVICE_TOKENS of the gateway, without its name',
  }),
  AUTH_GATEWAY_URL: baseUrl({
    devDefault: 'http://127.0.0.1:4000',
    desc: 'the address of the gateway, from which the registry learns the owner of an API key',
  }),
};

export const loadConfig = (env: NodeJS.ProcessEnv) => parseConfig(specification, env);

export type Config = ReturnType<typeof loadConfig>;
