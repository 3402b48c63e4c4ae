const PROBES = new Set(['/healthz', '/readyz', '/v1/health', '/health']);

/** What is asked all the time, and is neither logged nor traced. */
export const isProbe = (path: string): boolean => PROBES.has(path);
