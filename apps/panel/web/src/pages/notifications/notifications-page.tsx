import { useState } from 'react';
import { useNotifications, useReadNotifications } from '../../api/notifications.js';
import { toProblem } from '../../api/problem.js';
import { AreaPage } from '../../components/area-page.js';
import { Button } from '../../components/button.js';
import { Loaded } from '../../components/loaded.js';
import { NotificationItem } from '../../components/notification-item.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { focusSection, Section } from '../../components/section.js';

const PAGE = 20;
/** Highest offset that the platform accepts. Notifications are deleted after 90 days. */
const LAST_OFFSET = 10_000;

/** All notifications of the user. */
export function NotificationsPage() {
  const [offset, setOffset] = useState(0);
  const list = useNotifications(PAGE + 1, offset); // an extra item, to know if there are more
  const read = useReadNotifications();
  const newest = list.data?.items[0];
  const hasOlder = (list.data?.items.length ?? 0) > PAGE && offset + PAGE <= LAST_OFFSET;
  const go = (to: number) => {
    setOffset(to);
    focusSection('all');
  };
  return (
    <AreaPage title="Notifications" intro="Messages of your apps and the platform. They are kept for 90 days.">
      <Section
        id="all"
        title="All notifications"
        action={
          offset === 0 &&
          newest &&
          list.data !== undefined &&
          list.data.unread_count > 0 && (
            <Button size="small" icon="check" busy={read.isPending} onClick={() => read.mutate({ until: newest.id })}>
              Mark all as read
            </Button>
          )
        }
      >
        <ProblemNotice problem={read.error && toProblem(read.error)} />
        <Loaded query={list}>
          {({ items }) =>
            items.length ? (
              <ul>
                {items.slice(0, PAGE).map((notification) => (
                  <NotificationItem
                    key={notification.id}
                    notification={notification}
                    isNew={notification.read_at === null}
                  />
                ))}
              </ul>
            ) : (
              <div className="list__empty">
                <strong>{offset ? 'Nothing older' : 'Nothing yet'}</strong>
                {!offset && <span>Notifications of your apps appear here.</span>}
              </div>
            )
          }
        </Loaded>
        {(hasOlder || offset > 0) && (
          <div className="section__foot">
            <span>
              {offset + 1} to {offset + Math.min(PAGE, list.data?.items.length ?? 0)}
            </span>
            <span className="form__actions">
              <Button size="small" aria-disabled={offset === 0} onClick={() => go(Math.max(0, offset - PAGE))}>
                Newer
              </Button>
              <Button
                size="small"
                aria-disabled={!hasOlder || list.isPlaceholderData}
                onClick={() => go(offset + PAGE)}
              >
                Older
              </Button>
            </span>
          </div>
        )}
      </Section>
    </AreaPage>
  );
}
