import type { AutoTopUpSettings } from '@platform/client';
import { Notice } from '../../components/notice.js';
import { Time } from '../../components/time.js';

const STOPPED: Record<string, string> = {
  declined: 'Your card was declined three times. Choose another card, and turn it on again.',
  authentication_required:
    'Your bank wants you to confirm payments with this card. Pay the one that waits under Payments, or choose another card, and turn it on again.',
  card_removed: 'Its card was removed. Choose another card, and turn it on again.',
  refunded: 'A payment was given back. Turn it on again if you still want it.',
  disputed: 'A payment was disputed at the bank. Turn it on again if you still want it.',
};

const PAUSED: Record<string, string> = {
  declined: 'Your card was declined.',
  frequency: 'Three were bought within ten minutes.',
  daily_cap: 'The most for a day was reached.',
  monthly_cap: 'The most for a month was reached.',
};

/** Why nothing is bought, where that is so. */
export function AutoTopUpState({ settings }: { settings: AutoTopUpSettings }) {
  const { enabled, stopped_reason: stopped, paused_reason: paused, paused_until: until, threshold_tokens: threshold } = settings;
  if (!enabled && stopped) {
    return (
      <Notice tone="warning" title="It was turned off">
        <p>{STOPPED[stopped] ?? 'Turn it on again if you still want it.'}</p>
      </Notice>
    );
  }
  if (enabled && until) {
    return (
      <Notice tone="warning" title="It pauses">
        <p>
          {(paused && PAUSED[paused]) ?? ''} It goes on <Time at={until} />.
        </p>
      </Notice>
    );
  }
  if (enabled && threshold === 0) {
    return (
      <Notice tone="info">
        <p>Your plan brings no credits, so there is nothing of which few could be left, and nothing is bought.</p>
      </Notice>
    );
  }
  return null;
}
