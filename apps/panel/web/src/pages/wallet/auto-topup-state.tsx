import type { AutoTopUpSettings } from '@platform/client';
import { Notice } from '../../components/notice.js';
import { Time } from '../../components/time.js';

const STOPPED: Record<string, string> = {
  declined: 'Your card was declined three times. Choose another card and turn automatic top-up on again.',
  authentication_required:
    'Your bank requires you to confirm payments with this card. Complete the pending payment under Payments, or choose another card. Then turn automatic top-up on again.',
  card_removed: 'Its card was removed. Choose another card and turn automatic top-up on again.',
  refunded: 'A payment was refunded. Turn automatic top-up on again if you still want it.',
  disputed: 'A payment was disputed at the bank. Turn automatic top-up on again if you still want it.',
};

const PAUSED: Record<string, string> = {
  declined: 'Your card was declined.',
  frequency: 'Three top-ups ran within ten minutes.',
  daily_cap: 'The daily limit was reached.',
  monthly_cap: 'The monthly limit was reached.',
};

/** Shows the reason if automatic top-up is stopped, paused or without effect. */
export function AutoTopUpState({ settings }: { settings: AutoTopUpSettings }) {
  const {
    enabled,
    stopped_reason: stopped,
    paused_reason: paused,
    paused_until: until,
    threshold_tokens: threshold,
  } = settings;
  if (!enabled && stopped) {
    return (
      <Notice tone="warning" title="Automatic top-up was turned off">
        <p>{STOPPED[stopped] ?? 'Turn it on again if you still want it.'}</p>
      </Notice>
    );
  }
  if (enabled && until) {
    return (
      <Notice tone="warning" title="Automatic top-up is paused">
        <p>
          {(paused && PAUSED[paused]) ?? ''} It continues <Time at={until} />.
        </p>
      </Notice>
    );
  }
  if (enabled && threshold === 0) {
    return (
      <Notice tone="info">
        <p>Your plan includes no credits, so its percentage is 0 and automatic top-up buys nothing.</p>
      </Notice>
    );
  }
  return null;
}
