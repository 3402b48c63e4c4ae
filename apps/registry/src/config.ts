import { parseConfig, serviceConfig, servicePorts } from '@platform/platform';

export const loadConfig = (env: NodeJS.ProcessEnv) => parseConfig({ ...serviceConfig, ...servicePorts(4001) }, env);

export type Config = ReturnType<typeof loadConfig>;
