import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import './list.css';
import { Loaded } from './loaded.js';

interface ListProps<Item> {
  query: UseQueryResult<Item[]>;
  empty: ReactNode;
  /** Returns an `li` element. */
  children: (item: Item) => ReactNode;
}

/**
 * A list that is loaded from the platform, `empty` if it has no items, or the reason why it failed
 * to load.
 */
export function List<Item>({ query, empty, children }: ListProps<Item>) {
  return (
    <Loaded query={query}>
      {(items) =>
        items.length ? <ul className="list">{items.map(children)}</ul> : <div className="list__empty">{empty}</div>
      }
    </Loaded>
  );
}
