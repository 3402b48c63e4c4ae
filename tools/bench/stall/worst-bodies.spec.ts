import { openRoutes } from './worst-bodies.js';

it('finds every open route that takes a body, and as much as it reads of everything', () => {
  const routes = openRoutes();
  expect(routes.map(({ path }) => path).sort()).toEqual([
    '/v1/auth/cli/device/authorize',
    '/v1/auth/cli/device/token',
    '/v1/auth/cli/token',
    '/v1/auth/forgot-password',
    '/v1/auth/login',
    '/v1/auth/logout',
    '/v1/auth/refresh',
    '/v1/auth/resend-verification',
    '/v1/auth/reset-password',
    '/v1/auth/signup',
    '/v1/auth/verify-email',
  ]);
  for (const { bodies } of routes) {
    expect(bodies.length).toBeGreaterThan(30);
    expect(bodies.filter((body) => Buffer.byteLength(body) > 32 * 1024).length).toBeGreaterThan(10);
  }
});
