import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  DeletedReviewResponse,
  ListReviewsQuery,
  ReviewCreate,
  ReviewPageResponse,
  ReviewResponse,
  ReviewUpdate,
  ReviewVoteRequest,
  ReviewVoteResponse,
} from '@platform/contracts';
import { Access, CurrentUser, MaybeUser, UserLimit, type UserCaller } from '@platform/guards';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { ReviewsService } from './reviews.service.js';

const REVIEW_LIMIT = policy('reviews', 30, MINUTE);

@ApiTags('Marketplace and me')
@Controller('v1/marketplace')
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  /**
   * Lists the reviews of an app by its users, with its average rating. 404 `app.not_found` if the
   * app is not in the marketplace.
   */
  @Get('apps/:app_id/reviews')
  @Access('optional', { keyScope: 'marketplace:read', permission: 'marketplace' })
  listReviews(
    @MaybeUser() user: UserCaller | null,
    @Param('app_id') appId: string,
    @Query() query: ListReviewsQuery,
  ): Promise<ReviewPageResponse> {
    return this.reviews.listReviews(user, appId, query);
  }

  /**
   * Reviews an app that the caller has, or had, installed. 403 `review.not_installed` if the caller
   * never had it, 403 `review.own_app` for an app of the caller, 404 `app.not_found` if the app is
   * not in the marketplace, 409 `review.exists` for a second review of the app.
   */
  @Post('apps/:app_id/reviews')
  @UserLimit(REVIEW_LIMIT)
  @Access('bearerOrActingUser', { keyScope: 'marketplace:write', permission: 'marketplace' })
  createReview(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: ReviewCreate,
  ): Promise<ReviewResponse> {
    return this.reviews.createReview(user, appId, request);
  }

  /**
   * Changes a review of the caller. Absent fields stay as they are. 403 `review.not_yours` for a
   * review of another user, 404 `review.not_found`.
   */
  @Put('reviews/:review_id')
  @UserLimit(REVIEW_LIMIT)
  @Access('bearerOrActingUser', { keyScope: 'marketplace:write', permission: 'marketplace' })
  updateReview(
    @CurrentUser() user: UserCaller,
    @Param('review_id') id: string,
    @Body() request: ReviewUpdate,
  ): Promise<ReviewResponse> {
    return this.reviews.updateReview(user, id, request);
  }

  /**
   * Deletes a review of the caller, with the votes on it. 403 `review.not_yours` for a review of
   * another user, 404 `review.not_found`.
   */
  @Delete('reviews/:review_id')
  @UserLimit(REVIEW_LIMIT)
  @Access('bearerOrActingUser', { keyScope: 'marketplace:write', permission: 'marketplace' })
  deleteReview(@CurrentUser() user: UserCaller, @Param('review_id') id: string): Promise<DeletedReviewResponse> {
    return this.reviews.deleteReview(user, id);
  }

  /**
   * Votes on a review of another user: helpful or not. A later vote replaces the first. Returns the
   * number of helpful votes. 403 `review.own` for a review of the caller, 404 `review.not_found`.
   */
  @Post('reviews/:review_id/vote')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'marketplace:write', permission: 'marketplace' })
  voteOnReview(
    @CurrentUser() user: UserCaller,
    @Param('review_id') id: string,
    @Body() { helpful }: ReviewVoteRequest,
  ): Promise<ReviewVoteResponse> {
    return this.reviews.voteOnReview(user, id, helpful ?? true);
  }
}
