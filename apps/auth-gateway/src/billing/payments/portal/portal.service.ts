import { Inject, Injectable } from '@nestjs/common';
import { CustomersService, DeclinesRepository, PaymentProvider } from '@platform/billing';
import type { PortalSessionResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { newId } from '@platform/platform';
import { toPaymentError } from '../payments.errors.js';
import { CONFIG, type Config } from '../../../config.js';

/** The provider's page for a user. */
@Injectable()
export class PortalService {
  constructor(
    private readonly customers: CustomersService,
    private readonly provider: PaymentProvider,
    private readonly declines: DeclinesRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Creates a page of the provider on which the user sees cards and receipts, and which leads back
   * to the panel. Returns its address.
   *
   * @throws AppError 429 `payment.too_many_declines` after 8 declines in an hour, because the page
   * can save cards too; 503 if the provider is not available.
   */
  async createPortalSession({ userId }: UserCaller): Promise<PortalSessionResponse> {
    await this.declines.assertBelowLimit(userId).catch(toPaymentError);
    const returnUrl = `${this.config.PANEL_URL}/payments`;
    return {
      url: await this.customers.withCustomer(userId, (customerId) =>
        this.provider.createPortalUrl(customerId, returnUrl, newId('portal')),
      ),
    };
  }
}
