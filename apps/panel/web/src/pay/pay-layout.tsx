import type { ReactNode } from 'react';
import '../components/auth-layout.css';
import { BrandName } from '../components/brand.js';
import '../components/brand.css';
import '../components/button.css';
import { PageTitle } from '../components/page.js';

interface PayLayoutProps {
  title: string;
  emblem?: ReactNode;
  intro?: ReactNode;
  children?: ReactNode;
  /** Link to another page of the panel, which is a different document. */
  way?: { to: string; label: string; look: 'primary' | 'secondary'; onLeave?: () => void };
}

/**
 * Layout of the pay page: the same as `AuthLayout`, without a router, since all links lead to
 * another document.
 */
export function PayLayout({ title, emblem, intro, children, way }: PayLayoutProps) {
  return (
    <div className="auth">
      <PageTitle>{title}</PageTitle>
      <header className="auth__brand">
        <span className="brand">
          <BrandName />
        </span>
      </header>
      <main className="auth__card" id="content">
        <div className="auth__head">
          {emblem}
          <h1>{title}</h1>
          {intro && <div className="auth__intro">{intro}</div>}
        </div>
        {children}
        {way && (
          <a className={`button button--${way.look} button--medium button--wide`} href={way.to} onClick={way.onLeave}>
            {way.label}
          </a>
        )}
      </main>
    </div>
  );
}
