import type { UserResponse } from '@platform/client';
import './avatar.css';

type Named = Pick<UserResponse, 'email' | 'first_name' | 'last_name'>;

export const fullName = ({ first_name, last_name }: Named): string => [first_name, last_name].filter(Boolean).join(' ');

/** Initials in a circle, as decoration next to the name. */
export function Avatar({ user, size = 'small' }: { user: Named; size?: 'small' | 'large' }) {
  const words = fullName(user).split(/\s+/).filter(Boolean);
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('');
  return (
    <span className={`avatar avatar--${size}`} aria-hidden="true">
      {(initials || Array.from(user.email)[0])?.toUpperCase()}
    </span>
  );
}
