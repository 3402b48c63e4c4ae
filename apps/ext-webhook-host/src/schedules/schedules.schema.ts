import type { FeatureSchema } from '@platform/persistence';
import { StoredScheduleRun, StoredScheduleUserRun } from './schedule-run.entity.js';
import { StoredSchedule } from './schedule.entity.js';

export const schedulesSchema: FeatureSchema = { entities: [StoredScheduleRun, StoredScheduleUserRun, StoredSchedule] };
