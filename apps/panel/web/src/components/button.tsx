import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import './button.css';
import { Icon, type IconName } from './icons.js';

interface Look {
  look?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'small' | 'medium';
  /** Fills the width of its container. */
  wide?: boolean;
  icon?: IconName;
}

type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** Shows progress: clicks have no effect, and the button keeps its size and the focus. */
    busy?: boolean;
  };

const classes = ({ look = 'secondary', size = 'medium', wide = false }: Look): string =>
  ['button', `button--${look}`, `button--${size}`, wide && 'button--wide'].filter(Boolean).join(' ');

export function Button({
  look,
  size,
  wide,
  icon,
  busy = false,
  type = 'button',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const inert = busy || rest['aria-disabled'] === true;
  return (
    <button
      {...rest}
      type={type}
      className={classes({ look, size, wide })}
      aria-disabled={inert || undefined}
      data-busy={busy || undefined}
      onClick={(event) => {
        if (inert) event.preventDefault();
        else onClick?.(event);
      }}
    >
      <Content icon={icon}>{children}</Content>
      {busy && <span className="button__spinner" aria-hidden="true" />}
    </button>
  );
}

export function ButtonLink({ look, size, wide, icon, children, ...rest }: LinkProps & Look) {
  return (
    <Link {...rest} className={classes({ look, size, wide })}>
      <Content icon={icon}>{children}</Content>
    </Link>
  );
}

function Content({ icon, children }: { icon: IconName | undefined; children: ReactNode }) {
  return (
    <span className="button__content">
      {icon && <Icon name={icon} size={16} />}
      {children}
    </span>
  );
}
