import type { UserResponse } from '@platform/client';
import { useEffect, useRef } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { useLiveEvents } from '../api/live.js';
import { toProblem } from '../api/problem.js';
import { useSignOut } from '../api/session.js';
import { areasOf } from '../areas.js';
import './app-shell.css';
import { Avatar } from './avatar.js';
import { Bell } from './bell.js';
import { Brand } from './brand.js';
import { Button } from './button.js';
import { Icon } from './icons.js';
import { Notice } from './notice.js';
import { ProblemNotice } from './problem-notice.js';
import { useUser } from './require-session.js';

/** Frame of every area of the panel: navigation, the signed-in user, and the button to sign out. */
export function AppShell() {
  const user = useUser();
  const isAway = useLiveEvents();
  return (
    <div className="shell">
      <a className="shell__skip" href="#content">
        Skip to content
      </a>
      <header className="shell__side">
        <div className="shell__top">
          <Brand />
          <Bell />
        </div>
        <AreaNavigation user={user} />
        <div className="shell__user">
          <Avatar user={user} />
          <span className="shell__email" title={user.email}>
            {user.email}
          </span>
          <SignOutButton />
        </div>
      </header>
      <main className="shell__main" id="content">
        <div className="shell__away" role="status">
          {isAway && (
            <Notice tone="warning" title="Connection to the platform lost">
              This page shows the last loaded data. It updates when the connection is back.
            </Notice>
          )}
        </div>
        <Outlet context={user} />
      </main>
    </div>
  );
}

function AreaNavigation({ user }: { user: UserResponse }) {
  const { pathname, hash } = useLocation();
  const nav = useRef<HTMLElement>(null);

  useEffect(() => {
    if (nav.current) showCurrent(nav.current);
  }, [pathname]);

  return (
    <nav ref={nav} className="shell__nav" aria-label="Areas">
      <ul>
        {areasOf(user).map(({ path, label, icon, sections }) => (
          <li key={path}>
            <NavLink to={path} end className="shell__area">
              <Icon name={icon} />
              {label}
            </NavLink>
            {pathname === path && (
              <ul className="shell__sections">
                {sections.map((section) => (
                  <li key={section.id}>
                    <Link
                      to={`${path}#${section.id}`}
                      className="shell__section"
                      aria-current={hash === `#${section.id}` ? 'location' : undefined}
                    >
                      {section.label}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/**
 * Scrolls the row of areas on narrow screens to the current area. Nothing else on the page scrolls.
 */
function showCurrent(nav: HTMLElement): void {
  const current = nav.querySelector('.shell__area[aria-current]')?.getBoundingClientRect();
  const seen = nav.getBoundingClientRect();
  if (!current) return;
  if (current.right > seen.right) nav.scrollLeft += current.right - seen.right;
  if (current.left < seen.left) nav.scrollLeft -= seen.left - current.left;
}

/** Button that signs out. `RequireSession` detects the sign-out and leads to the sign-in page. */
function SignOutButton() {
  const signOut = useSignOut();
  return (
    <>
      <Button look="quiet" size="small" icon="sign-out" busy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
      <ProblemNotice problem={signOut.error && toProblem(signOut.error)} />
    </>
  );
}
