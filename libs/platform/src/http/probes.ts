const PROBES = new Set(['/healthz', '/readyz', '/v1/health', '/health']);

/**
 * True for the paths of probes (`/healthz`, `/readyz`, `/health`, `/v1/health`), which are frequent
 * and neither logged nor traced.
 */
export const isProbe = (path: string): boolean => PROBES.has(path);
