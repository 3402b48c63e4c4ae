import type {
  AppResponse,
  CallResponse,
  DeployReceipt,
  InstalledExtension,
  MarketplaceApp,
  TokenResponse,
  UserResponse,
} from '@platform/contracts';
import { randomBytes } from 'node:crypto';
import { automation } from './automations.js';
import { billing } from './billing.js';
import { codeApps } from './code-apps.js';
import { bookmarks, runningApps } from './running-apps.js';
import type { Tour } from './tour.js';

/**
 * The new user creates apps and an administrator approves one. Then the user finds, installs,
 * calls, disables, enables and removes it.
 */
export async function apps(tour: Tour): Promise<void> {
  const { email, password, administrator } = tour;
  const mark = randomBytes(3).toString('hex');
  const appId = `bookmarks-${mark}`;

  tour.step('Become a developer');
  const { access_token: token } = await tour.call<TokenResponse>('/v1/auth/login', {
    method: 'POST',
    body: { email, password },
  });
  const { platform_id: userId } = await tour.call<UserResponse>('/v1/auth/me', { token });
  await tour.call('/v1/developer/register', {
    method: 'POST',
    token,
    body: { display_name: 'Ada', nickname: `ada-${mark}` },
  });

  tour.step('Create an app, and deploy it in one call');
  await tour.call<AppResponse>('/v1/developer/apps', {
    method: 'POST',
    token,
    body: {
      app_id: appId,
      name: `Bookmarks ${mark}`,
      short_description: 'Keeps what you want to read later',
      category: 'productivity',
    },
    status: 201,
  });
  const { data } = await tour.call<CallResponse>('/v1/extensions/developer/call', {
    method: 'POST',
    token,
    body: { user_id: userId, function: 'deploy_ir', params: { app_id: appId, ir_dict: bookmarks(appId) } },
  });
  const receipt = data as DeployReceipt | null;
  if (!receipt?.steps_registered) throw new Error('The deploy returned no receipt.');
  await tour.call(`/v1/developer/apps/${appId}/deploys`, { token });

  tour.step('Have another system verify the webhook of the draft');
  const verified = receipt.webhooks.find(({ method, channel }) => method === 'GET' && channel === 'draft');
  if (!verified) throw new Error('The receipt has no webhook URL of the draft.');
  await tour.verified(new URL(verified.url).pathname);

  tour.step('Submit it for review');
  await tour.call(`/v1/developer/apps/${appId}/submit`, { method: 'POST', token, body: {} });
  if (!administrator) {
    tour.skip(
      'Skipped the approval by an administrator and the install, because ADMIN_EMAIL and ADMIN_PASSWORD are not set',
    );
    return;
  }

  tour.step('As administrator, on the command line: list apps that wait for review, and approve one');
  const administrators = await tour.signInAtTerminal(administrator);
  await tour.terminal(administrators, 'review');
  await tour.terminal(administrators, `review approve ${appId} 1.0.0`);

  const scheduleComesDue = await codeApps(tour, { userId, token, mark });

  const automationFires = await automation(tour, { userId, token });

  tour.step('Find it in the marketplace, and install it from the command line');
  const found = await tour.call<MarketplaceApp[]>(`/v1/marketplace/apps?search=bookmarks%20${mark}&limit=5`, { token });
  if (!found.some(({ app_id }) => app_id === appId)) throw new Error('The marketplace does not find the app.');
  tour.expectEvent('marketplace.app_installed', { app_id: appId });
  tour.expectEvent('automation.triggered', { event_type: 'marketplace.app_installed', about_app: appId });
  await tour.terminal(await tour.signInAtTerminal({ email, password }), `install ${appId} --yes`);
  const installed = await tour.call<InstalledExtension[]>('/v1/me/extensions', { token });
  if (!installed.find(({ app_id }) => app_id === appId)?.functions.length)
    throw new Error('The app is not among the extensions.');

  await automationFires();

  await runningApps(tour, { appId, userId, token });

  await billing(tour, { userId, token });

  tour.step('Disable it, enable it again, and remove it');
  await tour.call('/v1/me/extensions/disable', { method: 'POST', token, body: { app_id: appId } });
  await tour.call(`/v1/me/extensions/disable/${appId}`, { method: 'DELETE', token });
  tour.expectEvent('marketplace.app_uninstalled', { app_id: appId });
  await tour.call(`/v1/marketplace/apps/${appId}/install`, { method: 'DELETE', token });

  await scheduleComesDue();
}
