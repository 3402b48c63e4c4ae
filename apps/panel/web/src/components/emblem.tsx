import { Icon, type IconName } from './icons.js';

interface EmblemProps {
  icon: IconName;
  tone?: 'primary' | 'success' | 'warning' | 'destructive';
}

/** Icon above a heading. Its colour repeats the meaning of the heading. */
export function Emblem({ icon, tone = 'primary' }: EmblemProps) {
  return (
    <span className={`emblem emblem--${tone}`}>
      <Icon name={icon} size={22} />
    </span>
  );
}
