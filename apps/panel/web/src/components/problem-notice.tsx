import type { Problem } from '../api/problem.js';
import { waitingTime } from '../lib/time.js';
import { Notice } from './notice.js';

/**
 * Notice for errors that belong to no field of a form, with advice. Nothing for null, and if all
 * errors belong to fields.
 */
export function ProblemNotice({ problem }: { problem: Problem | null }) {
  switch (problem?.kind) {
    case 'wait':
      return (
        <Notice tone="warning" role="alert" title="Too many attempts">
          <p>Wait {waitingTime(problem.seconds)}, then try again.</p>
        </Notice>
      );
    case 'unavailable':
      return (
        <Notice tone="warning" role="alert" title="The platform cannot be reached">
          <p>Nothing was lost. Check your connection, or try again in a moment.</p>
        </Notice>
      );
    case 'refused':
      return (
        <Notice tone="destructive" role="alert">
          <p>{problem.message}</p>
        </Notice>
      );
    case 'fields':
      return problem.other.length ? (
        <Notice tone="destructive" role="alert">
          {problem.other.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Notice>
      ) : null;
    case undefined:
      return null;
  }
}
