import type { Settling } from '../api/settling.js';
import { Notice } from './notice.js';

interface SettlingNoticeProps {
  settling: Settling;
  /** Message if the purchase has arrived. */
  done: string;
  /** Message about the purchase if it is late. */
  late: string;
}

/** Shows the state of a payment after `/pay`. */
export function SettlingNotice({ settling, done, late }: SettlingNoticeProps) {
  switch (settling.phase) {
    case 'none':
      return null;
    case 'waiting':
      return (
        <Notice tone="info" role="status" title="Waiting for your bank to confirm">
          <p>This takes a few seconds.</p>
        </Notice>
      );
    case 'late':
      return (
        <Notice tone="info" role="status" title="This takes longer than usual">
          <p>You do not have to wait or pay again. {late}</p>
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

/** Notice for browsers that do not allow session storage. */
export function StorageRefused() {
  return (
    <Notice tone="warning" role="alert" title="Your browser blocks payments on this page">
      <p>Allow this site to store data, at least until you close the tab, and try again. Nothing was paid.</p>
    </Notice>
  );
}
