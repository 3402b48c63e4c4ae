import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isISO31661Alpha2, IsOptional, ValidateBy } from 'class-validator';
import { isAtMost, IsLine, IsPattern } from '../validators.js';

/** Characters of a text before surrounding spaces are removed. A longer text is not trimmed. */
const MAX_UNTRIMMED = 200;

/** Removes surrounding spaces. An empty text clears the field, as null does. */
const Clearable = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && isAtMost(MAX_UNTRIMMED, value) ? value.trim() || null : value,
    ),
    IsOptional(),
  );

const COUNTRY = /^[A-Z]{2}$/;

/** The value must be an ISO 3166-1 alpha-2 country code in capital letters. */
const IsCountry = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ pattern: `^(${COUNTRY.source.slice(1, -1)})?$`, example: 'DE' }),
    ValidateBy(
      {
        name: 'isCountry',
        validator: { validate: (value) => isAtMost(2, value) && COUNTRY.test(value) && isISO31661Alpha2(value) },
      },
      { message: 'Input should be a country code (ISO 3166-1 alpha-2) such as DE', context: { type: 'value_error' } },
    ),
  );

/** Changes the buyer that invoices name. A field that is absent keeps its value. */
export class BillingProfileUpdate {
  /** Name on the invoice. Null or empty: the name of the account. */
  @Clearable() @IsLine(100) name?: string | null;
  /** Company on the invoice. Null or empty removes it. */
  @Clearable() @IsLine(150) company?: string | null;
  /** VAT identification number. Null or empty removes it. */
  @ApiProperty({ pattern: '^([A-Za-z0-9][A-Za-z0-9 .-]{0,19})?$' })
  @Clearable()
  @IsPattern(/^[A-Za-z0-9][A-Za-z0-9 .-]{0,19}$/, { maxLength: 20, example: 'DE123456789' })
  vat?: string | null;
  /** Country code (ISO 3166-1 alpha-2). Null or empty removes it. */
  @Clearable() @IsCountry() country?: string | null;
}

/** The buyer that invoices name. */
export class BillingProfile {
  /** Name on the invoice; null: the name of the account. */
  name!: string | null;
  /** Company on the invoice; null if there is none. */
  company!: string | null;
  /** VAT identification number. */
  vat!: string | null;
  /**
   * Country code (ISO 3166-1 alpha-2).
   * @example DE
   */
  country!: string | null;
}

/** A page of the payment provider on which the user manages cards and sees receipts. */
export class PortalSessionResponse {
  /**
   * Address of the page. Anybody with this address can open the page for some minutes, so show it
   * only to the user.
   */
  url!: string;
}
