import type { Settling } from '../api/settling.js';
import { Notice } from './notice.js';

interface SettlingNoticeProps {
  settling: Settling;
  /** What is there now. */
  done: string;
  /** What comes by itself. */
  late: string;
}

/** What became of what was paid. */
export function SettlingNotice({ settling, done, late }: SettlingNoticeProps) {
  switch (settling.phase) {
    case 'none':
      return null;
    case 'waiting':
      return (
        <Notice tone="info" role="status" title="Your bank is telling us">
          <p>This takes a few seconds.</p>
        </Notice>
      );
    case 'late':
      return (
        <Notice tone="info" role="status" title="This takes longer than usual">
          <p>You need not wait, and need not pay again. {late}</p>
        </Notice>
      );
    case 'done':
      return (
        <Notice tone="success" role="status">
          <p>{done}</p>
        </Notice>
      );
    case 'failed':
      return (
        <Notice tone="destructive" role="alert">
          <p>{settling.why}</p>
        </Notice>
      );
  }
}

/** Where a browser keeps nothing for a page. */
export function StorageRefused() {
  return (
    <Notice tone="warning" role="alert" title="Your browser does not let this page pay">
      <p>Allow it to keep data for this site, at least until you close the tab, and try again. Nothing was paid.</p>
    </Notice>
  );
}
