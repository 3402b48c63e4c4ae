import { challengeOf, newVerifier } from '@platform/client/pkce';
import type { CliCodeResponse, DeviceAuthorizeResponse } from '@platform/contracts';
import type { GatewayTest, TestUser } from './gateway-test.js';

type Answer = Promise<{ status: number; body: unknown }>;

/**
 * A login of the command line: the approval of the user in the panel, and the request for tokens.
 */
export interface TerminalLogin {
  approve: () => Answer;
  redeem: () => Answer;
}

/** @param headers headers in which the panel describes the user. */
export type StartTerminalLogin = (
  gateway: GatewayTest,
  user: TestUser,
  headers?: Record<string, string>,
) => Promise<TerminalLogin>;

/** Login with a one-time code: the panel creates it, the command line exchanges it. */
const startCodeLogin: StartTerminalLogin = (gateway, { id }, headers = {}) => {
  const code_verifier = newVerifier();
  let code = 'none';
  return Promise.resolve({
    approve: async () => {
      const request = { code_challenge: challengeOf(code_verifier), code_challenge_method: 'S256' };
      const answer = await gateway
        .actingFor(id)
        .withHeaders(headers)
        .post<CliCodeResponse>('/v1/auth/cli/codes', request);
      if (answer.status === 200) code = answer.body.code;
      return answer;
    },
    redeem: () => gateway.client().post('/v1/auth/cli/token', { code, code_verifier }),
  });
};

/** Device login: the user approves it, the device requests its tokens. */
const startDeviceLogin: StartTerminalLogin = async (gateway, { id }, headers = {}) => {
  const code_verifier = newVerifier();
  const request = { code_challenge: challengeOf(code_verifier) };
  const { body } = await gateway.client().post<DeviceAuthorizeResponse>('/v1/auth/cli/device/authorize', request);
  const { device_code, user_code } = body;
  return {
    approve: () => gateway.actingFor(id).withHeaders(headers).post('/v1/auth/cli/device/approve', { user_code }),
    redeem: () => gateway.client().post('/v1/auth/cli/device/token', { device_code, code_verifier }),
  };
};

export const CODE_LOGIN = 'a one-time code';
export const DEVICE_LOGIN = 'an approved device';
export const TERMINAL_LOGINS: readonly (readonly [string, StartTerminalLogin])[] = [
  [CODE_LOGIN, startCodeLogin],
  [DEVICE_LOGIN, startDeviceLogin],
];
