import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isISO31661Alpha2, IsOptional, ValidateBy } from 'class-validator';
import { isAtMost, IsLine, IsPattern } from '../validators.js';

/** With the spaces around it. Longer texts are refused as they are. */
const MAX_UNTRIMMED = 200;

/** A field that an empty text clears, as null does. Spaces around it are dropped. */
const Clearable = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && isAtMost(MAX_UNTRIMMED, value) ? value.trim() || null : value,
    ),
    IsOptional(),
  );

const COUNTRY = /^[A-Z]{2}$/;

/** ISO 3166-1 alpha-2, in capital letters. */
const IsCountry = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ pattern: `^(${COUNTRY.source.slice(1, -1)})?$`, example: 'DE' }),
    ValidateBy(
      { name: 'isCountry', validator: { validate: (value) => isAtMost(2, value) && COUNTRY.test(value) && isISO31661Alpha2(value) } },
      { message: 'Input should be the code of a country, such as DE', context: { type: 'value_error' } },
    ),
  );

/** To whom invoices are made out. What is absent stays as it is. */
export class BillingProfileUpdate {
  /** Null or empty: the name of the account. */
  @Clearable() @IsLine(100) name?: string | null;
  @Clearable() @IsLine(150) company?: string | null;
  /** The number for value added tax. */
  @ApiProperty({ pattern: '^([A-Za-z0-9][A-Za-z0-9 .-]{0,19})?$' })
  @Clearable()
  @IsPattern(/^[A-Za-z0-9][A-Za-z0-9 .-]{0,19}$/, { maxLength: 20, example: 'DE123456789' })
  vat?: string | null;
  @Clearable() @IsCountry() country?: string | null;
}

/** To whom invoices are made out. */
export class BillingProfile {
  name!: string | null;
  company!: string | null;
  /** The number for value added tax. */
  vat!: string | null;
  /** ISO 3166-1 alpha-2. @example DE */
  country!: string | null;
}

/** A page of the payment provider, on which the user sees cards and receipts. */
export class PortalSessionResponse {
  /** It lets in whoever has it, for some minutes, so it belongs to the user alone. */
  url!: string;
}
