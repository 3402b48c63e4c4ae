const PROBES = new Set(['/healthz', '/readyz', '/v1/health', '/health']);

/** True for paths of probes, which are frequent and neither logged nor traced. */
export const isProbe = (path: string): boolean => PROBES.has(path);
