import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ACTION_TYPES, type ActionType } from '../tool-manifest.js';
import { IsTrueOrFalse } from '../validators.js';
import { CallRequest, CallResponse } from './calls.dto.js';

export class OperateRequest extends CallRequest {
  /**
   * True if the client already has the user's consent. It is ignored unless the
   * `confirmation_policy` of the role is `default_off` and the user has not set
   * `confirmation_enabled`; functions that move money always need the user.
   */
  @IsOptional() @IsTrueOrFalse() @ApiProperty({ required: false, default: false }) confirmation_bypassed: boolean =
    false;
}

export const CONFIRMATION_STATUSES = ['pending', 'confirmed', 'cancelled', 'expired'] as const;
export type ConfirmationStatus = (typeof CONFIRMATION_STATUSES)[number];

/** A call that waits for the confirmation of its user. */
export class ConfirmationResponse {
  /** Id of the confirmation. */
  id!: string;
  /** Status of the confirmation. */
  @ApiProperty({ enum: CONFIRMATION_STATUSES }) status!: ConfirmationStatus;
  /** Id of the app. */
  app_id!: string;
  /** Name of the function. */
  function!: string;
  /** Effect of the function. */
  @ApiProperty({ enum: ACTION_TYPES }) action_type!: ActionType;
  /**
   * Credits that the call cost at the time of the question. If the price is higher at the
   * confirmation, the call is refused.
   */
  @ApiProperty({ type: 'integer' }) price!: number;
  /** The exact parameters of the call. */
  @ApiProperty({ type: 'object', additionalProperties: true }) params!: Record<string, unknown>;
  /** Single line of text to show to the user. */
  summary!: string;
  /** Time of creation. */
  created_at!: Date;
  /** Time after which the confirmation can no longer be answered. */
  expires_at!: Date;
}

export class ConfirmedResponse extends ConfirmationResponse {
  /** Result of the call. It is not stored. */
  result!: CallResponse;
}

export class ActiveConfirmationsResponse {
  /** Newest waiting confirmation; null if there is none. */
  @ApiProperty({ type: ConfirmationResponse, nullable: true, required: true })
  confirmation!: ConfirmationResponse | null;
  /** Waiting confirmations, newest first; at most 50. */
  items!: ConfirmationResponse[];
}

/** Result of a function. Clients treat the presence of `error` as a failure. */
export class ToolResult extends OmitType(CallResponse, ['error'] as const) {
  /** Error message for people; absent on success. */
  error?: string;
}

export const OPERATE_KINDS = ['tool_result', 'confirmation', 'panel_approval_required'] as const;

/**
 * The result of the call, a confirmation that the user must answer first, or the page of the panel
 * on which the user must do it (functions that move money).
 */
export class OperateResponse {
  /**
   * Kind of the answer. `tool_result`: `content` has the result. `confirmation`: the user must
   * answer `confirmation`. `panel_approval_required`: the user must do the action at `panel_url`.
   */
  @ApiProperty({ enum: OPERATE_KINDS }) kind!: (typeof OPERATE_KINDS)[number];
  /** Present if `kind` is `tool_result`. */
  content?: ToolResult;
  /**
   * Present if `kind` is `confirmation` or `panel_approval_required`. With
   * `panel_approval_required` it describes the requested action, cannot be confirmed and expires.
   */
  confirmation?: ConfirmationResponse;
  /** Id of the confirmation. */
  confirmation_id?: string;
  /**
   * Present if `kind` is `panel_approval_required`: the page of the panel, with the requested
   * values filled in, on which the user does the action. Nothing has happened yet.
   */
  panel_url?: string;
  /** Summary of the confirmation. */
  summary?: string;
  /** Time at which the confirmation expires. */
  expires_at?: Date;
}
