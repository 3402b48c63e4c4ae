import type { ReactNode } from 'react';

export type IconName =
  | 'alert'
  | 'bell'
  | 'browser'
  | 'card'
  | 'chart'
  | 'check'
  | 'copy'
  | 'eye'
  | 'eye-off'
  | 'info'
  | 'key'
  | 'layers'
  | 'mail'
  | 'plus'
  | 'print'
  | 'receipt'
  | 'shield'
  | 'sign-out'
  | 'terminal'
  | 'trash'
  | 'user'
  | 'wallet'
  | 'webhook'
  | 'x';

/** Shapes on a 24 × 24 grid. */
const SHAPES: Record<IconName, ReactNode> = {
  alert: (
    <path d="M12 8.5v4.5m0 3.5h.01M10.3 4.2 2.9 17a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0Z" />
  ),
  bell: (
    <path d="M12 4a5.5 5.5 0 0 0-5.5 5.5c0 4.5-2 6-2 6.5h15c0-.5-2-2-2-6.5A5.5 5.5 0 0 0 12 4Zm0 0V2.75M10 18.75a2 2 0 0 0 4 0" />
  ),
  browser: (
    <path d="M3 6.5A1.5 1.5 0 0 1 4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-11ZM3 9.5h18M6 7.25h.01M8.5 7.25h.01" />
  ),
  card: (
    <path d="M3 7.5A1.5 1.5 0 0 1 4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5v-9ZM3 10h18M6.5 14.5h4" />
  ),
  chart: <path d="M4 19.5h16M7 16v-4.5M12 16V5.5M17 16V9" />,
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  copy: (
    <path d="M9 9V5.5A1.5 1.5 0 0 1 10.5 4h8A1.5 1.5 0 0 1 20 5.5v8a1.5 1.5 0 0 1-1.5 1.5H15M5.5 9h8a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8A1.5 1.5 0 0 1 4 18.5v-8A1.5 1.5 0 0 1 5.5 9Z" />
  ),
  eye: (
    <>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
      <circle cx="12" cy="12" r="2.75" />
    </>
  ),
  'eye-off': (
    <path d="M4 4l16 16M9.9 6A8.6 8.6 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.6 3.3M6.3 7.7A16.6 16.6 0 0 0 2.5 12S6 18.5 12 18.5c1.6 0 3-.4 4.2-1.1M10 10.1a2.75 2.75 0 0 0 3.9 3.9" />
  ),
  info: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11.5v4m0-7.5h.01" />
    </>
  ),
  key: (
    <>
      <circle cx="8" cy="15.5" r="4" />
      <path d="m11 12.5 8.5-8.5M16 7.5l2.5 2.5M13.5 10l1.75 1.75" />
    </>
  ),
  layers: <path d="M12 4 3.5 8.5 12 13l8.5-4.5L12 4ZM3.5 12.5 12 17l8.5-4.5M3.5 16 12 20.5 20.5 16" />,
  mail: (
    <path d="M3 7a1.5 1.5 0 0 1 1.5-1.5h15A1.5 1.5 0 0 1 21 7v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7Zm.5.5L12 13.5l8.5-6" />
  ),
  plus: <path d="M12 5.5v13M5.5 12h13" />,
  print: (
    <path d="M7 9V4h10v5M7 17H5a1.5 1.5 0 0 1-1.5-1.5v-5A1.5 1.5 0 0 1 5 9h14a1.5 1.5 0 0 1 1.5 1.5v5A1.5 1.5 0 0 1 19 17h-2M7 14h10v6H7v-6Z" />
  ),
  receipt: (
    <path d="M5.5 3.5v17l2.25-1.5L10 20.5l2-1.5 2 1.5 2.25-1.5 2.25 1.5v-17l-2.25 1.5L14 3.5 12 5l-2-1.5L7.75 5 5.5 3.5ZM9 9h6M9 13h6" />
  ),
  shield: <path d="M12 3 5 5.5v5.75c0 4.4 2.9 8 7 9.75 4.1-1.75 7-5.35 7-9.75V5.5L12 3Zm-3 9 2.25 2.25L15.25 10" />,
  'sign-out': (
    <path d="M14.5 4.5H6A1.5 1.5 0 0 0 4.5 6v12A1.5 1.5 0 0 0 6 19.5h8.5M10 12h10m0 0-3.5-3.5M20 12l-3.5 3.5" />
  ),
  terminal: (
    <path d="M3 6.5A1.5 1.5 0 0 1 4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-11ZM7 9.5l2.75 2.5L7 14.5M12.5 14.5H16" />
  ),
  trash: (
    <path d="M4.5 6.5h15M9.5 6.5V5A1.5 1.5 0 0 1 11 3.5h2A1.5 1.5 0 0 1 14.5 5v1.5M6.5 6.5l.75 12a1.5 1.5 0 0 0 1.5 1.5h6.5a1.5 1.5 0 0 0 1.5-1.5l.75-12M10.25 10.5v5.5M13.75 10.5v5.5" />
  ),
  user: (
    <>
      <circle cx="12" cy="8" r="3.75" />
      <path d="M4.75 20c.75-3.75 3.75-5.75 7.25-5.75s6.5 2 7.25 5.75" />
    </>
  ),
  wallet: (
    <path d="M4 8.5A2.5 2.5 0 0 1 6.5 6H18v3.5M4 8.5v8A2.5 2.5 0 0 0 6.5 19h12a1.5 1.5 0 0 0 1.5-1.5V11a1.5 1.5 0 0 0-1.5-1.5H5A1 1 0 0 1 4 8.5Zm12 5.75h.01" />
  ),
  webhook: (
    <path d="M12 8.5 8.5 15M12 8.5a3 3 0 1 1 2.75-1.75L17 11M5.75 12.25a3.25 3.25 0 1 0 3.75 4.25h6M14.75 12.5a3.25 3.25 0 1 1-.5 5" />
  ),
  x: <path d="M6 6l12 12M18 6 6 18" />,
};

/** A decorative icon: its meaning must also be in the text next to it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {SHAPES[name]}
    </svg>
  );
}
