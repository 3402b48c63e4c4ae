import { IsOptional } from 'class-validator';
import { IsText, IsWholeNumber } from '../validators.js';
import { IsRunGrant } from './run-grants.dto.js';

/** Characters. */
export const MAX_PROGRESS_MESSAGE = 500;

/** Progress of the task of a run grant (the permission of a run at the gateway). */
export class RunProgressRequest {
  @IsRunGrant() grant!: string;
  @IsWholeNumber(0, 100) percent!: number;
  /** Progress message. Absent: the previous message stays. */
  @IsOptional() @IsText(MAX_PROGRESS_MESSAGE) message?: string;
}

export class RunProgressResponse {
  /** True if the task was cancelled. */
  is_cancelled!: boolean;
}
