import { Icon, type IconName } from './icons.js';

interface EmblemProps {
  icon: IconName;
  tone?: 'primary' | 'success' | 'warning' | 'destructive';
}

/** The picture above a heading, which says in colour what the heading says in words. */
export function Emblem({ icon, tone = 'primary' }: EmblemProps) {
  return (
    <span className={`emblem emblem--${tone}`}>
      <Icon name={icon} size={22} />
    </span>
  );
}
