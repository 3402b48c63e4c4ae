import type { FeatureSchema } from '@platform/persistence';
import { StoredScheduleRun, StoredScheduleUserRun } from './stored-schedule-run.entity.js';
import { StoredSchedule } from './stored-schedule.entity.js';

export const schedulesSchema: FeatureSchema = { entities: [StoredScheduleRun, StoredScheduleUserRun, StoredSchedule] };
