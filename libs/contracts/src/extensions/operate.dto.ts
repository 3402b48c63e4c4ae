import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ACTION_TYPES, type ActionType } from '../tool-manifest.js';
import { IsTrueOrFalse } from '../validators.js';
import { CallRequest, CallResponse } from './calls.dto.js';

export class OperateRequest extends CallRequest {
  /** The user has agreed already. Counts where their role says `default_off` and they themselves nothing, and not for money. */
  @IsOptional() @IsTrueOrFalse() @ApiProperty({ required: false, default: false }) confirmation_bypassed: boolean = false;
}

export const CONFIRMATION_STATUSES = ['pending', 'confirmed', 'cancelled', 'expired'] as const;
export type ConfirmationStatus = (typeof CONFIRMATION_STATUSES)[number];

/** A call that waits for its user to agree. */
export class ConfirmationResponse {
  id!: string;
  @ApiProperty({ enum: CONFIRMATION_STATUSES }) status!: ConfirmationStatus;
  app_id!: string;
  function!: string;
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  /** Credits that the call cost when the user was asked. It is refused where it costs more by then. */
  @ApiProperty({ type: 'integer' }) price!: number;
  /** What the function will be called with, exactly. */
  @ApiProperty({ type: 'object', additionalProperties: true }) params!: Record<string, unknown>;
  /** One line, to be shown. */
  summary!: string;
  created_at!: Date;
  expires_at!: Date;
}

export class ConfirmedResponse extends ConfirmationResponse {
  /** What became of the call. It is not kept. */
  result!: CallResponse;
}

export class ActiveConfirmationsResponse {
  /** The newest one. */
  @ApiProperty({ type: ConfirmationResponse, nullable: true, required: true }) confirmation!: ConfirmationResponse | null;
  /** The newest first, 50 at most. */
  items!: ConfirmationResponse[];
}

/** The answer of a function. Clients take the presence of `error` for a failure. */
export class ToolResult extends OmitType(CallResponse, ['error'] as const) {
  /** What went wrong, for a person; absent on success. */
  error?: string;
}

export const OPERATE_KINDS = ['tool_result', 'confirmation', 'panel_approval_required'] as const;

/** The result of the call, the question that the user has to answer first, or where in the panel they do it themselves, which is so of money. */
export class OperateResponse {
  @ApiProperty({ enum: OPERATE_KINDS }) kind!: (typeof OPERATE_KINDS)[number];
  /** With the kind `tool_result`. */
  content?: ToolResult;
  /** With the kinds `confirmation` and `panel_approval_required`. One of the latter cannot be confirmed: it says what was asked for, and ends by itself. */
  confirmation?: ConfirmationResponse;
  /** The id of the confirmation. */
  confirmation_id?: string;
  /** With the kind `panel_approval_required`: the page on which the user does it, filled in with what was asked for. Nothing has happened yet. */
  panel_url?: string;
  /** Of the confirmation. */
  summary?: string;
  /** Of the confirmation. */
  expires_at?: Date;
}
