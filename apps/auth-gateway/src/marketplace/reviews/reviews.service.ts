import { Injectable } from '@nestjs/common';
import type {
  DeletedReviewResponse,
  ListReviewsQuery,
  ReviewCreate,
  ReviewPageResponse,
  ReviewResponse,
  ReviewSort,
  ReviewUpdate,
  ReviewVoteResponse,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { onViolation, type Row } from '@platform/persistence';
import { isUnavailable, newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';
import { InstalledExtensionsService } from '../../extensions/user-extensions/installed-extensions.service.js';
import { lockAccount } from '../../identity/accounts/lock-account.js';
import { ListingErrors } from '../listings/listings.errors.js';
import { UserReviewErrors } from './user-reviews.errors.js';
import type { Review } from './review.entity.js';

const ORDERS: Record<ReviewSort, string> = {
  helpful: 'r.helpful_count DESC, r.created_at DESC, r.id DESC',
  newest: 'r.created_at DESC, r.id DESC',
  oldest: 'r.created_at, r.id',
  highest: 'r.rating DESC, r.created_at DESC, r.id DESC',
  lowest: 'r.rating, r.created_at, r.id',
};

/** Columns of a review from `reviews r`; `$1` is the id of the caller, or null. */
const REVIEW = `r.id, r.app_id, u.nickname AS user_nickname, r.rating, r.title, r.body, r.helpful_count, v.helpful AS my_vote,
  r.user_id IS NOT DISTINCT FROM $1 AS is_mine, r.created_at, r.updated_at`;
const REVIEW_JOINS =
  'JOIN users u ON u.id = r.user_id LEFT JOIN review_votes v ON v.review_id = r.id AND v.user_id = $1';

interface ListedApp {
  developer_id: string;
  rating: string;
  review_count: number;
}

/**
 * Reviews of apps. A user can write one review per app that they have or had installed, except for
 * their own apps.
 */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly installed: InstalledExtensionsService,
    accountDeletion: AccountDeletionService,
  ) {
    accountDeletion.addDataStep(rowsOfUser('review_votes', 'reviews'));
  }

  /**
   * Lists a page of the reviews of an app, with the average rating. For a user, each review says if
   * it is their own, and their vote.
   *
   * @throws AppError 404 `app.not_found` if the app is not in the marketplace.
   */
  async listReviews(
    user: UserCaller | null,
    appId: string,
    { sort, page, per_page }: ListReviewsQuery,
  ): Promise<ReviewPageResponse> {
    const { rating, review_count } = await this.requireListed(appId);
    const items = await this.dataSource.query<ReviewResponse[]>(
      `SELECT ${REVIEW} FROM (SELECT * FROM reviews r WHERE r.app_id = $2 ORDER BY ${ORDERS[sort]} LIMIT $3 OFFSET $4) AS r ${REVIEW_JOINS}
       ORDER BY ${ORDERS[sort]}`,
      [user?.userId ?? null, appId, per_page, (page - 1) * per_page],
    );
    return { items, total: review_count, page, per_page, avg_rating: Number(rating) };
  }

  /**
   * Creates the review of an app by a user, and publishes an event to the app's developer.
   *
   * @throws AppError 403 `review.own_app` for an app of the user, `review.not_installed` for an app
   * that the user never installed; 404 `app.not_found` if the app is not in the marketplace; 409
   * `review.exists` if the user has reviewed it already.
   */
  async createReview(user: UserCaller, appId: string, { rating, title, body }: ReviewCreate): Promise<ReviewResponse> {
    const { developer_id } = await this.requireListed(appId);
    if (developer_id === user.userId) throw UserReviewErrors.ownApp();
    if (!(await this.hadInstalled(user, appId))) throw UserReviewErrors.notInstalled();
    const id = newId('rev');
    await this.dataSource
      .transaction(async (em) => {
        await em.query(
          `INSERT INTO reviews (id, app_id, user_id, rating, title, body)
           SELECT $1, $2, id, $4::integer, $5, $6 FROM users WHERE id = $3 AND erased_at IS NULL FOR KEY SHARE`,
          [id, appId, user.userId, rating, title ?? '', body],
        );
        await publishReviewPosted(em, id);
      })
      .catch(onViolation('reviews_app_user_key', UserReviewErrors.alreadyReviewed))
      .catch(onViolation('reviews_app_fkey', ListingErrors.appNotFound));
    return this.getReview(user, id);
  }

  /**
   * Changes the given fields of a review of the user. If the rating changes, publishes an event to
   * the app's developer.
   *
   * @throws AppError 403 `review.not_yours` for a review of another user; 404 `review.not_found` if
   * it does not exist.
   */
  async updateReview(user: UserCaller, id: string, { rating, title, body }: ReviewUpdate): Promise<ReviewResponse> {
    const isUpdated = await this.dataSource.transaction(async (em) => {
      const [[updated]] = await em.query<[{ is_rated_anew: boolean }[], number]>(
        `UPDATE reviews r SET rating = coalesce($3, r.rating), title = coalesce($4, title), body = coalesce($5, body), updated_at = now()
         FROM (SELECT rating FROM reviews WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE) AS before
         WHERE r.id = $1 AND r.user_id = $2 RETURNING r.rating <> before.rating AS is_rated_anew`,
        [id, user.userId, rating ?? null, title ?? null, body ?? null],
      );
      if (updated?.is_rated_anew) await publishReviewPosted(em, id);
      return updated !== undefined;
    });
    if (!isUpdated) await this.throwRefusal(id);
    return this.getReview(user, id);
  }

  /**
   * Deletes a review of the user, with the votes on it.
   *
   * @throws AppError 403 `review.not_yours` for a review of another user; 404 `review.not_found` if
   * it does not exist.
   */
  async deleteReview(user: UserCaller, id: string): Promise<DeletedReviewResponse> {
    const [deleted] = await this.dataSource.query<[unknown[], number]>(
      'DELETE FROM reviews WHERE id = $1 AND user_id = $2 RETURNING 1',
      [id, user.userId],
    );
    if (!deleted.length) await this.throwRefusal(id);
    return { id, status: 'deleted' };
  }

  /**
   * Sets the vote of the user on a review; a later vote replaces it. Returns the number of helpful
   * votes.
   *
   * @throws AppError 403 `review.own` for the user's own review; 404 `review.not_found` if it does
   * not exist or the account of the user was deleted.
   */
  async voteOnReview(user: UserCaller, id: string, helpful: boolean): Promise<ReviewVoteResponse> {
    return this.dataSource.transaction(async (em) => {
      if (!(await lockAccount(em, user.userId))) throw UserReviewErrors.notFound();
      // Locks the review before the vote, in the same order as a deletion.
      const [review] = await em.query<Row<Review, 'userId'>[]>(
        'SELECT user_id FROM reviews WHERE id = $1 FOR NO KEY UPDATE',
        [id],
      );
      if (!review) throw UserReviewErrors.notFound();
      if (review.user_id === user.userId) throw UserReviewErrors.ownReview();
      await em.query(
        `INSERT INTO review_votes AS v (review_id, user_id, helpful) VALUES ($1, $2, $3)
         ON CONFLICT (review_id, user_id) DO UPDATE SET helpful = excluded.helpful WHERE v.helpful <> excluded.helpful`,
        [id, user.userId, helpful],
      );
      const [counted] = await em.query<[{ helpful_count: number }]>('SELECT helpful_count FROM reviews WHERE id = $1', [
        id,
      ]);
      return { id, helpful_count: counted.helpful_count };
    });
  }

  private async getReview(user: UserCaller, id: string): Promise<ReviewResponse> {
    const [review] = await this.dataSource.query<ReviewResponse[]>(
      `SELECT ${REVIEW} FROM reviews r ${REVIEW_JOINS} WHERE r.id = $2`,
      [user.userId, id],
    );
    if (!review) throw UserReviewErrors.notFound();
    return review;
  }

  private async requireListed(appId: string): Promise<ListedApp> {
    const [app] = await this.dataSource.query<ListedApp[]>(
      `SELECT a.developer_id, l.rating, l.review_count FROM app_listings l JOIN apps a ON a.app_id = l.app_id
       WHERE l.app_id = $1 AND l.is_listed`,
      [appId],
    );
    if (!app) throw ListingErrors.appNotFound();
    return app;
  }

  /**
   * True if the user has, or had, the app installed. The gateway's copy of the installs can lack
   * installs made elsewhere; then it is refreshed, unless the Registry is unavailable.
   */
  private async hadInstalled({ userId }: UserCaller, appId: string): Promise<boolean> {
    if (await this.isCopied(userId, appId)) return true;
    await this.installed.refreshCopy(userId).catch((error: unknown) => {
      if (!isUnavailable(error, 'registry')) throw error;
    });
    return this.isCopied(userId, appId);
  }

  private async isCopied(userId: string, appId: string): Promise<boolean> {
    return (
      (
        await this.dataSource.query<unknown[]>('SELECT 1 FROM installs WHERE user_id = $1 AND app_id = $2', [
          userId,
          appId,
        ])
      ).length > 0
    );
  }

  private async throwRefusal(id: string): Promise<never> {
    const [review] = await this.dataSource.query<unknown[]>('SELECT 1 FROM reviews WHERE id = $1', [id]);
    throw review ? UserReviewErrors.notYours() : UserReviewErrors.notFound();
  }
}

/**
 * Publishes the event `review.posted` about a review to the app's developer. Does nothing for a
 * system app.
 */
async function publishReviewPosted(em: EntityManager, id: string): Promise<void> {
  const [review] = await em.query<{ app_id: string; rating: number; developer_id: string; tenant_id: string }[]>(
    `SELECT r.app_id, r.rating, a.developer_id, u.tenant_id
     FROM reviews r JOIN apps a ON a.app_id = r.app_id JOIN users u ON u.id = a.developer_id WHERE r.id = $1`,
    [id],
  );
  if (!review) return;
  const { app_id, rating, developer_id: userId, tenant_id: tenantId } = review;
  await publishEvent(em, { type: 'review.posted', tenantId, userId, data: { app_id, review_id: id, rating } });
}
