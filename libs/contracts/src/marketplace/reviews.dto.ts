import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { HasAtLeast, IsLine, IsOneOf, IsQueryInteger, IsText, IsTrueOrFalse, IsWholeNumber } from '../validators.js';

export const REVIEW_SORTS = ['helpful', 'newest', 'oldest', 'highest', 'lowest'] as const;
export type ReviewSort = (typeof REVIEW_SORTS)[number];

const IsReviewBody = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ minLength: 20, example: 'Saves me an hour every Monday.' }),
    IsText(5_000),
    HasAtLeast(20),
  );

export class ReviewCreate {
  /** Rating from 1 to 5. */
  @IsWholeNumber(1, 5) rating!: number;
  /** Title of the review. */
  @IsOptional() @IsLine(200) title?: string;
  /** Text of the review. */
  @IsReviewBody() body!: string;
}

/** Changes a review. A field that is absent or null keeps its value. */
export class ReviewUpdate {
  /** Rating from 1 to 5. */
  @IsOptional() @IsWholeNumber(1, 5) rating?: number;
  /** Title of the review. */
  @IsOptional() @IsLine(200) title?: string;
  /** Text of the review. */
  @IsOptional() @IsReviewBody() body?: string;
}

export class ReviewVoteRequest {
  /** True: the review is helpful. False: it is not, or the caller withdraws an earlier vote. */
  @IsOptional() @IsTrueOrFalse() helpful?: boolean = true;
}

export class ListReviewsQuery {
  /** Order of the reviews. */
  @IsOneOf(REVIEW_SORTS, 'helpful') sort: ReviewSort = 'helpful';
  /** Number of the page, from 1. */
  @IsQueryInteger({ minimum: 1, maximum: 1_000, default: 1 }) page: number = 1;
  /** Maximum number of items in a page. */
  @IsQueryInteger({ minimum: 1, maximum: 50, default: 20 }) per_page: number = 20;
}

/** A review. `title` and `body` are plain text of a user, never markup. */
export class ReviewResponse {
  /** Id of the review. */
  id!: string;
  /** Id of the app. */
  app_id!: string;
  /** Nickname of the author; null if the author has none or deleted the account. */
  user_nickname!: string | null;
  /** Rating from 1 to 5. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5 }) rating!: number;
  /** Title of the review. */
  title!: string;
  /** Text of the review. */
  body!: string;
  /** Number of users that found the review helpful. */
  @ApiProperty({ type: 'integer' }) helpful_count!: number;
  /** Vote of the caller; null if the caller has not voted or is not signed in. */
  @ApiProperty({ type: 'boolean', nullable: true }) my_vote!: boolean | null;
  /** True if the caller wrote the review. */
  is_mine!: boolean;
  /** Time of creation. */
  created_at!: Date;
  /** Time of the last change. */
  updated_at!: Date;
}

export class ReviewPageResponse {
  /** Reviews of this page. */
  items!: ReviewResponse[];
  /** Number of all reviews of the app. */
  @ApiProperty({ type: 'integer' }) total!: number;
  /** Number of the page, from 1. */
  @ApiProperty({ type: 'integer' }) page!: number;
  /** Maximum number of items in a page. */
  @ApiProperty({ type: 'integer' }) per_page!: number;
  /** Average rating from 1 to 5; 0 without ratings. */
  avg_rating!: number;
}

export class DeletedReviewResponse {
  /** Id of the review. */
  id!: string;
  /**
   * Result of the request.
   * @example deleted
   */
  status!: string;
}

export class ReviewVoteResponse {
  /** Id of the review. */
  id!: string;
  /** Number of users that found the review helpful. */
  @ApiProperty({ type: 'integer' }) helpful_count!: number;
}
