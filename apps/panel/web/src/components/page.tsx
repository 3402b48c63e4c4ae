import { useEffect, useRef, type ReactNode } from 'react';
import { PLATFORM_NAME } from './brand.js';

/** Title of the browser window. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · ${PLATFORM_NAME}`}</title>;
}

/** True after the first page. The browser announces the first page and sets its focus itself. */
let navigated = false;

/**
 * Heading of a page. It takes the focus when it appears after a navigation, but not on the first
 * page, so that screen readers announce the page and keyboard users continue from there.
 */
export function PageHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (navigated) heading.current?.focus();
    navigated = true;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
