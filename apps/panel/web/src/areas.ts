import type { IconName } from './components/icons.js';

export interface Area {
  path: string;
  label: string;
  icon: IconName;
  /** Parts of its page that one can go to. */
  sections: readonly { id: string; label: string }[];
}

/** What the panel consists of. The wallet, the marketplace, the developer portal and the administration each become one more. */
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
];
