import { TestService } from '@platform/testing';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { loadConfig } from '../../apps/auth-gateway/src/config.js';
import { authGateway } from '../../apps/auth-gateway/src/service.js';
import { GatewayTest, type TestUser } from '../../apps/auth-gateway/src/testing/gateway-test.js';
import { launchChromium } from '../panel/testing/chromium.js';
import { WatchedPage } from '../panel/testing/watched-page.js';

/** HTML page of the gateway's exported OpenAPI document. */
let gateway: GatewayTest;
let service: TestService;
let browser: Browser;
let watched: WatchedPage;
/** All addresses that the page requested. */
let asked: string[];
let user: TestUser;
beforeAll(async () => {
  [gateway, browser] = await Promise.all([GatewayTest.start(), launchChromium()]);
  const own = resolve('docs/openapi/auth-gateway.json');
  service = await TestService.start((env) => authGateway(loadConfig(env), { own }), { sharedWith: gateway.service });
  user = await gateway.user({ first_name: 'Ada' });
});
beforeEach(async () => {
  watched = await WatchedPage.open(browser, { baseURL: service.url });
  asked = [];
  watched.context.on('request', (request) => asked.push(request.url()));
});
afterEach(() => watched.close());
afterAll(async () => {
  await browser.close();
  await service.stop();
  await gateway.stop();
});

/** High enough for a busy machine: the page first reads a document of more than a megabyte. */
const READY = { timeout: 60_000 };

/** Expects that all requests had the page's own origin and its policy refused nothing. */
function expectOwn(): void {
  const foreign = asked.filter(
    (url) => !url.startsWith('data:') && new URL(url).origin !== new URL(service.url).origin,
  );
  expect([foreign, watched.complaints]).toEqual([[], []]);
}

it('tries a request with a token, and shows what the platform answers', async () => {
  const { page } = watched;
  const { access_token: token } = await gateway.login(user);
  await page.goto('/docs#/Auth/me', READY);
  const operation = page.locator('#operations-Auth-me');
  await operation.locator('button.execute').waitFor(READY);
  await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
  const form = page.locator('.auth-container', { hasText: 'bearer' }).first();
  await form.locator('input').fill(token);
  await form.getByRole('button', { name: /apply credentials|^authorize$/i }).click();
  await page.locator('.btn-done').first().click();

  await operation.locator('button.execute').click();
  const answer = operation.locator('.live-responses-table .response').first();
  await answer.locator('.response-col_status', { hasText: '200' }).waitFor(READY);
  const text = await answer.locator('.response-col_description').innerText();
  expect(text).toContain(user.id);
  expect(text).toContain(user.email);
  expect(asked).toContain(`${service.url}/v1/auth/me`);
  // On other hosts than localhost, Swagger UI would send the document's address to a foreign
  // validator.
  expect(await page.evaluate('ui.getConfigs().validatorUrl')).toBeNull();
  expectOwn();
});

it('finds groups by a part of their names, and opens one route by its address', async () => {
  const { page } = watched;
  await page.goto('/docs', READY);
  const groups = page.locator('.opblock-tag');
  await groups.first().waitFor(READY);
  expect(await groups.count()).toBeGreaterThan(10);
  await page.locator('.operation-filter-input').fill('Tenants');
  await page.waitForFunction("document.querySelectorAll('.opblock-tag').length === 1");
  expect(await groups.innerText()).toContain('Tenants');
  await groups.click();
  await page.locator('.opblock-summary', { hasText: '/v1/tenants' }).first().waitFor();
  expectOwn();
});

/**
 * Resolves an operation without the page's plugins, with the whole document. `trap` is a part of
 * the document that only a full copy reads.
 */
const RESOLVED = `(async (path) => {
  const { fn, specSelectors } = ui.getSystem();
  const document = specSelectors.specJson().toJS();
  let copied = false;
  const trap = { get: () => ((copied = true), {}), enumerable: true };
  const trapped = { ...document, paths: Object.defineProperty({ ...document.paths }, '/trap', trap) };
  const whole = SwaggerUIBundle({ domNode: window.document.createElement('div'), spec: {} }).getSystem().fn;
  const here = await fn.resolveSubtree(trapped, path, { baseDoc: specSelectors.url() });
  const there = await whole.resolveSubtree(document, path, { baseDoc: specSelectors.url() });
  return { copied, here: here.spec, there: there.spec, errors: [here.errors, there.errors] };
})`;

it('shows of an operation what Swagger UI makes of the whole document', async () => {
  const { page } = watched;
  await page.goto('/docs', READY);
  await page.locator('.opblock-tag').first().waitFor(READY);
  const resolved = await page.evaluate<{ copied: boolean; here: unknown; there: unknown; errors: unknown[] }>(
    `${RESOLVED}(['paths', '/v1/tenants/{tenant_id}', 'patch'])`,
  );
  expect(resolved.here).toEqual(resolved.there);
  expect(resolved).toMatchObject({
    copied: false,
    here: { operationId: expect.any(String) as unknown },
    errors: [[], []],
  });
  expectOwn();
});
