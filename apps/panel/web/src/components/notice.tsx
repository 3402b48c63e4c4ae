import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.js';
import './notice.css';

type Tone = 'info' | 'success' | 'warning' | 'destructive';

const ICONS: Record<Tone, IconName> = { info: 'info', success: 'check', warning: 'alert', destructive: 'alert' };

interface NoticeProps {
  tone: Tone;
  title?: string;
  /**
   * `alert` interrupts a screen reader, `status` waits; without a role the notice is plain text.
   */
  role?: 'alert' | 'status';
  children?: ReactNode;
}

export function Notice({ tone, title, role, children }: NoticeProps) {
  return (
    <div className={`notice notice--${tone}`} role={role}>
      <Icon name={ICONS[tone]} />
      <div className="notice__text">
        {title && <p className="notice__title">{title}</p>}
        {children}
      </div>
    </div>
  );
}
