import { useEffect, useRef, type ReactNode } from 'react';
import { PLATFORM_NAME } from './brand.js';

/** The name of the page in the window's title. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · ${PLATFORM_NAME}`}</title>;
}

/** Whether a page was shown before this one. The first one is announced by the browser, and may put the focus where it likes. */
let navigated = false;

/**
 * The heading of a page, or of what takes its place. It takes the focus when it appears, so that a screen reader says where one has come
 * and the keyboard goes on from there.
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
