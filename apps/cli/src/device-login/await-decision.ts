import {
  ApiError,
  call,
  isTransient,
  type DeviceAuthorizeResponse,
  type DevicePendingResponse,
  type PlatformClient,
  type TokenResponse,
} from '@platform/client';
import { CommandError } from '../failures.js';

const SLOW_DOWN_SECONDS = 5;
const LONGEST_INTERVAL_SECONDS = 30;

const REFUSALS: Record<string, string> = {
  access_denied: 'The login was declined.',
  expired_token: 'The code expired before it was confirmed. Run the command again.',
  invalid_grant: 'The platform no longer knows this login. Run the command again.',
};

export interface DecisionOptions {
  client: PlatformClient;
  authorization: DeviceAuthorizeResponse;
  verifier: string;
  pause: (ms: number) => Promise<void>;
  /**
   * Called with a message while the platform does not answer, and with undefined when it answers
   * again.
   */
  onTrouble: (trouble: string | undefined) => void;
}

/**
 * Asks the platform again and again until the user has confirmed the login (RFC 8628 section 3.5),
 * in the interval that the platform gives, and returns the tokens. Without an answer, it asks less
 * often, at least every 30 s, until the code expires.
 *
 * @throws CommandError if the user declines, the code has expired, the platform no longer knows the
 * login, or it did not answer until then; ApiError for another refusal.
 */
export async function awaitDecision({
  client,
  authorization,
  verifier,
  pause,
  onTrouble,
}: DecisionOptions): Promise<TokenResponse> {
  const { device_code, expires_in } = authorization;
  const deadline = Date.now() + expires_in * 1000;
  const poll = () => call(client.POST('/v1/auth/cli/device/token', { body: { device_code, code_verifier: verifier } }));
  let interval = authorization.interval;
  for (;;) {
    await pause(interval * 1000);
    const answer = await poll().catch((error: unknown) => {
      if (isTransient(error)) return error as Error;
      throw refusal(error);
    });
    if ('access_token' in answer) return answer;
    const trouble = answer instanceof Error ? answer.message : undefined;
    onTrouble(trouble);
    if (Date.now() >= deadline) throw new CommandError(trouble ?? REFUSALS['expired_token'] ?? '');
    interval = nextInterval(interval, answer);
  }
}

function nextInterval(interval: number, answer: DevicePendingResponse | Error): number {
  if (answer instanceof Error) return Math.min(interval * 2, LONGEST_INTERVAL_SECONDS);
  if (answer.error === 'slow_down') return Math.max(interval + SLOW_DOWN_SECONDS, answer.interval);
  return answer.interval;
}

function refusal(error: unknown): unknown {
  const text = error instanceof ApiError ? REFUSALS[error.oauthError ?? ''] : undefined;
  return text ? new CommandError(text) : error;
}
