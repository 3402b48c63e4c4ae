import type { DeviceAuthorizeResponse, KeyResponse, SessionIdResponse } from '@platform/contracts';
import { challengeOf } from '@platform/client/pkce';
import { newId } from '@platform/platform';
import { decodeJwt } from 'jose';
import { kind, bodyOfSuccess, type ContentPart } from '../testing/content-part.js';
import type { TenantContent } from '../testing/tenant-content.js';
import { createUserCode } from './cli-login/user-codes.js';

const CHALLENGE = { code_challenge: challengeOf('v'.repeat(64)), code_challenge_method: 'S256' };

export const content: ContentPart = {
  kinds: {
    key: kind('key', ['key_id']),
    session: kind('ses', ['session_id']),
    userCode: { unknown: () => createUserCode(), fields: ['user_code'] },
  },
  async create(content) {
    await credentials(content);
    await loginsUnderWay(content);
  },
};

async function credentials(content: TenantContent): Promise<void> {
  const { gateway } = content;
  const registered = async (user_id: string) =>
    (
      await bodyOfSuccess(
        gateway
          .backend()
          .post<SessionIdResponse>('/v1/auth/sessions/register', { surface: 'cli', user_id, label: newId('label') }),
      )
    ).session_id;
  for (const user of content.people) {
    const token = (await gateway.login(user)).access_token;
    const client = gateway.client().withToken(token);
    const [kept, ended] = [await registered(user.id), await registered(user.id)];
    await bodyOfSuccess(client.post(`/v1/auth/sessions/${ended}/revoke`));
    content.idsOf('session').push(decodeJwt(token)['sid'] as string, kept, ended);
    content.idsOf('key').push((await bodyOfSuccess(client.post<KeyResponse>('/v1/keys', { name: newId('name') }))).id);
  }
}

async function loginsUnderWay(content: TenantContent): Promise<void> {
  const { gateway, admin, ordinary } = content;
  for (const [user, action] of [
    [admin, 'approve'],
    [ordinary, 'deny'],
  ] as const) {
    const body = { ...CHALLENGE, label: newId('label') };
    const { user_code } = await bodyOfSuccess(
      gateway.client().post<DeviceAuthorizeResponse>('/v1/auth/cli/device/authorize', body),
    );
    await bodyOfSuccess(gateway.actingFor(user.id).post('/v1/auth/cli/device/approve', { user_code, action }));
    content.idsOf('userCode').push(user_code);
  }
  const { email, tenant_id } = ordinary;
  await bodyOfSuccess(gateway.actingFor(ordinary.id).post('/v1/auth/cli/codes', CHALLENGE));
  await bodyOfSuccess(gateway.client().post('/v1/auth/forgot-password', { email, tenant_id }));
  await gateway.mailToken(email);
  await gateway.signUp({ tenant_id });
}
