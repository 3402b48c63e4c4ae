import { rateHealth, rateReportedHealth } from './health-status.js';

it.each([
  { callers: 0, failing: 0, status: 'healthy', told: 'healthy' },
  { callers: 1, failing: 0, status: 'healthy', told: 'healthy' },
  { callers: 11, failing: 1, status: 'healthy', told: 'healthy' },
  { callers: 10, failing: 1, status: 'degraded', told: 'degraded' },
  { callers: 5, failing: 2, status: 'degraded', told: 'degraded' },
  { callers: 5, failing: 3, status: 'unhealthy', told: 'unhealthy' },
  { callers: 6, failing: 3, status: 'unhealthy', told: 'unhealthy' },
  { callers: 2_000, failing: 1_000, status: 'unhealthy', told: 'unhealthy' },
  { callers: 2_001, failing: 1_000, status: 'degraded', told: 'degraded' },
  { callers: 1, failing: 1, status: 'degraded', told: null },
  { callers: 4, failing: 4, status: 'degraded', told: null },
])(
  'of $callers callers, $failing of whom it fails, an app is $status, and its developer is told $told',
  ({ status, told, ...outcomes }) => {
    expect(rateHealth(outcomes)).toBe(status);
    expect(rateReportedHealth(outcomes)).toBe(told);
  },
);
