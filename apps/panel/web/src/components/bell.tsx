import type { NotificationResponse } from '@platform/client';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useNotifications, useReadNotifications } from '../api/notifications.js';
import { toProblem } from '../api/problem.js';
import { bellName, newNotification, shortCount } from '../lib/notifications.js';
import { useAnnounce } from './announcer.js';
import './bell.css';
import { Button } from './button.js';
import { Icon } from './icons.js';
import { Loaded } from './loaded.js';
import { NotificationItem } from './notification-item.js';
import { ProblemNotice } from './problem-notice.js';

const SHOWN = 20;

/** Button with the number of unread notifications, and the list that it opens. */
export function Bell() {
  const id = useId();
  const list = useNotifications(SHOWN);
  const unread = list.data?.unread_count ?? 0;
  const [isOpen, setOpen] = useState(false);
  const popover = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const close = () => popover.current?.hidePopover();
  useSaidWhenNew(list.data?.items);

  return (
    <>
      <button type="button" className="bell" popoverTarget={id} aria-haspopup="dialog" aria-label={bellName(unread)}>
        <Icon name="bell" size={20} />
        {unread > 0 && (
          <span className="bell__count" aria-hidden="true">
            {shortCount(unread)}
          </span>
        )}
      </button>
      {/* The browser closes it on Escape and on clicks outside, and moves the focus back. */}
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-labelledby={`${id}-title`}
        className="bell__list"
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          if (newState === 'open') heading.current?.focus();
        }}
      >
        <div className="bell__head">
          <h2 ref={heading} id={`${id}-title`} tabIndex={-1}>
            Notifications
          </h2>
          <Button look="quiet" size="small" icon="x" aria-label="Close notifications" onClick={close} />
        </div>
        {isOpen && (
          <Loaded query={list}>{({ items, unread_count }) => <Shown items={items} unread={unread_count} />}</Loaded>
        )}
        <div className="bell__foot">
          <Link to="/notifications" onClick={close}>
            All notifications
          </Link>
        </div>
      </div>
    </>
  );
}

/** The newest notifications. Showing them marks them as read. */
function Shown({ items, unread }: { items: NotificationResponse[]; unread: number }) {
  const read = useReadNotifications();
  const unreadIds = items.filter(({ read_at }) => read_at === null).map(({ id }) => id);
  const { fresh, key } = useFresh(unreadIds);
  const { mutate } = read;
  useEffect(() => {
    if (key) mutate({ ids: key.split(',') });
  }, [key, mutate]);

  const newest = items[0];
  if (!newest) {
    return (
      <div className="list__empty">
        <strong>Nothing yet</strong>
        <span>Notifications of your apps appear here.</span>
      </div>
    );
  }
  const isMore = unread > unreadIds.length;
  return (
    <>
      <ProblemNotice problem={read.error && toProblem(read.error)} />
      {isMore && (
        <div className="bell__more">
          <Button size="small" busy={read.isPending} onClick={() => mutate({ until: newest.id })}>
            Mark all as read
          </Button>
        </div>
      )}
      <ul>
        {items.map((notification) => (
          <NotificationItem key={notification.id} notification={notification} isNew={fresh.has(notification.id)} />
        ))}
      </ul>
    </>
  );
}

/**
 * Returns `fresh`: ids that were unread when the list was opened or since, even after they are
 * marked as read; and `key`: the ids to mark now, separated by commas.
 */
function useFresh(unreadIds: readonly string[]): { fresh: ReadonlySet<string>; key: string } {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(() => new Set(unreadIds));
  const key = unreadIds.join();
  if (unreadIds.some((id) => !fresh.has(id))) setFresh(new Set([...fresh, ...unreadIds]));
  return { fresh, key };
}

/** Announces new notifications to screen readers. */
function useSaidWhenNew(items: NotificationResponse[] | undefined): void {
  const announce = useAnnounce();
  const known = useRef<string>(undefined);
  const newest = items?.[0];
  useEffect(() => {
    if (!items) return;
    const isNew =
      newest !== undefined && known.current !== undefined && newest.id !== known.current && newest.read_at === null;
    known.current = newest?.id ?? '';
    if (isNew) announce(newNotification(newest));
  }, [announce, items, newest]);
}
