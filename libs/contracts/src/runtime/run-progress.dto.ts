import { IsOptional } from 'class-validator';
import { IsText, IsWholeNumber } from '../validators.js';
import { IsRunGrant } from './run-grants.dto.js';

/** In characters. */
export const MAX_PROGRESS_MESSAGE = 500;

/** How far the task is that the grant is of. */
export class RunProgressRequest {
  @IsRunGrant() grant!: string;
  @IsWholeNumber(0, 100) percent!: number;
  /** What the task is at; what was said before stays where it is absent. */
  @IsOptional() @IsText(MAX_PROGRESS_MESSAGE) message?: string;
}

export class RunProgressResponse {
  /** Whether nobody wants the task any more. */
  is_cancelled!: boolean;
}
