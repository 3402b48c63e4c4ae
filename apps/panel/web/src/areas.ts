import type { UserResponse } from '@platform/client';
import type { IconName } from './components/icons.js';

export interface Area {
  path: string;
  label: string;
  icon: IconName;
  /** Linked sections of its page. */
  sections: readonly { id: string; label: string }[];
  /** Hidden from other users. */
  isForAdministrators?: true;
}

export const isAdministrator = ({ role }: UserResponse): boolean => role === 'admin';

export const areasOf = (user: UserResponse): readonly Area[] =>
  AREAS.filter((area) => !area.isForAdministrators || isAdministrator(user));

/**
 * Areas of the panel. The marketplace, the developer portal and the administration can be added
 * here.
 */
export const AREAS: readonly Area[] = [
  {
    path: '/',
    label: 'Account',
    icon: 'user',
    sections: [
      { id: 'profile', label: 'Profile' },
      { id: 'password', label: 'Password' },
      { id: 'sessions', label: 'Sessions' },
      { id: 'keys', label: 'API keys' },
    ],
  },
  {
    path: '/wallet',
    label: 'Wallet',
    icon: 'wallet',
    sections: [
      { id: 'credits', label: 'Credits' },
      { id: 'buy', label: 'Buy' },
      { id: 'auto-topup', label: 'Automatic top-up' },
      { id: 'limits', label: 'Limits' },
      { id: 'history', label: 'History' },
    ],
  },
  {
    path: '/subscription',
    label: 'Subscription',
    icon: 'layers',
    sections: [
      { id: 'plan', label: 'Your plan' },
      { id: 'usage', label: 'Usage' },
      { id: 'plans', label: 'All plans' },
    ],
  },
  {
    path: '/payments',
    label: 'Payments',
    icon: 'card',
    sections: [
      { id: 'cards', label: 'Cards' },
      { id: 'invoices', label: 'Invoices' },
      { id: 'payments', label: 'Payments' },
      { id: 'profile', label: 'Billing profile' },
    ],
  },
  {
    path: '/earnings',
    label: 'Earnings',
    icon: 'chart',
    sections: [
      { id: 'earned', label: 'Earned' },
      { id: 'destination', label: 'Payout account' },
      { id: 'payouts', label: 'Payouts' },
    ],
  },
  {
    path: '/webhooks',
    label: 'Webhooks',
    icon: 'webhook',
    isForAdministrators: true,
    sections: [{ id: 'endpoints', label: 'Endpoints' }],
  },
];
