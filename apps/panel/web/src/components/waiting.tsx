import { useEffect, useState } from 'react';
import { Button } from './button.js';
import { Emblem } from './emblem.js';
import { AuthLayout } from './auth-layout.js';
import './waiting.css';

const QUICK_MS = 300;

/**
 * Placeholder while a page waits for data. Invisible for the first 0.3 s, so that quick answers do
 * not flash.
 */
export function Waiting({ label = 'Loading' }: { label?: string }) {
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setVisible(true), QUICK_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="waiting" role="status">
      {visible && (
        <>
          <span className="waiting__spinner" aria-hidden="true" />
          <span className="visually-hidden">{label}…</span>
        </>
      )}
    </div>
  );
}

/**
 * Shown instead of a page that needs the platform, which cannot be reached. Has a button to try
 * again.
 */
export function Unreachable({ retry, busy }: { retry: () => void; busy: boolean }) {
  return (
    <AuthLayout
      title="The platform cannot be reached"
      emblem={<Emblem icon="alert" tone="warning" />}
      intro="Check your connection, or try again in a moment. You stay signed in."
    >
      <Button look="primary" wide busy={busy} onClick={retry}>
        Try again
      </Button>
    </AuthLayout>
  );
}
