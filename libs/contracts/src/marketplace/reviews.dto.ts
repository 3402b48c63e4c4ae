import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { HasAtLeast, IsLine, IsOneOf, IsQueryInteger, IsText, IsTrueOrFalse, IsWholeNumber } from '../validators.js';

export const REVIEW_SORTS = ['helpful', 'newest', 'oldest', 'highest', 'lowest'] as const;
export type ReviewSort = (typeof REVIEW_SORTS)[number];

const IsReviewBody = (): PropertyDecorator =>
  applyDecorators(ApiProperty({ minLength: 20, example: 'Saves me an hour every Monday.' }), IsText(5_000), HasAtLeast(20));

export class ReviewCreate {
  @IsWholeNumber(1, 5) rating!: number;
  @IsOptional() @IsLine(200) title?: string;
  @IsReviewBody() body!: string;
}

/** What is absent or null stays as it is. */
export class ReviewUpdate {
  @IsOptional() @IsWholeNumber(1, 5) rating?: number;
  @IsOptional() @IsLine(200) title?: string;
  @IsOptional() @IsReviewBody() body?: string;
}

export class ReviewVoteRequest {
  /** False takes back what one said, or says the contrary. */
  @IsOptional() @IsTrueOrFalse() helpful?: boolean = true;
}

export class ListReviewsQuery {
  @IsOneOf(REVIEW_SORTS, 'helpful') sort: ReviewSort = 'helpful';
  @IsQueryInteger({ minimum: 1, maximum: 1_000, default: 1 }) page: number = 1;
  @IsQueryInteger({ minimum: 1, maximum: 50, default: 20 }) per_page: number = 20;
}

/** Title and body are what somebody wrote: text, never markup. */
export class ReviewResponse {
  id!: string;
  app_id!: string;
  /** Null for who has none, and for who left. */
  user_nickname!: string | null;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5 }) rating!: number;
  title!: string;
  body!: string;
  @ApiProperty({ type: 'integer' }) helpful_count!: number;
  /** Whether the caller found it helpful; null where they did not say, and when nobody is signed in. */
  @ApiProperty({ type: 'boolean', nullable: true }) my_vote!: boolean | null;
  /** Whether the caller wrote it. */
  is_mine!: boolean;
  created_at!: Date;
  updated_at!: Date;
}

export class ReviewPageResponse {
  items!: ReviewResponse[];
  @ApiProperty({ type: 'integer' }) total!: number;
  @ApiProperty({ type: 'integer' }) page!: number;
  @ApiProperty({ type: 'integer' }) per_page!: number;
  /** From 1 to 5; 0 before the first. */
  avg_rating!: number;
}

export class DeletedReviewResponse {
  id!: string;
  /** @example deleted */
  status!: string;
}

export class ReviewVoteResponse {
  id!: string;
  @ApiProperty({ type: 'integer' }) helpful_count!: number;
}
