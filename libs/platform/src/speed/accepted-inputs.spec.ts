import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  ValidatePromise,
  validate,
} from 'class-validator';
import { isAccepted } from './accepted-inputs.js';

/** A rule that uses the key, the object and the constraints of its arguments. */
const IsSameAsName = () =>
  ValidateBy({
    name: 'isSameAsName',
    constraints: ['name'],
    validator: {
      validate: (value, args) =>
        args?.property === 'nickname' &&
        args.value === value &&
        (args.object as Record<string, unknown>)[args.constraints[0] as string] === value,
    },
  });

class City {
  @IsString() @MaxLength(5) name!: string;
}
class Capital extends City {
  @IsInt() @Min(1) people!: number;
}
class Person {
  @IsString() name!: string;
  @IsOptional() @IsSameAsName() nickname?: string;
  @IsOptional() @ValidateNested() @Type(() => City) city?: City | null;
  @ValidateIf((_person, value) => value !== null) @ValidateNested() @Type(() => Capital) capital!: Capital | null;
  @IsOptional() @IsArray() @ArrayMaxSize(2) @ValidateNested({ each: true }) @Type(() => City) visited?: City[];
  @IsOptional() @IsArray() @IsString({ each: true }) languages?: string[];
}

const GOOD = { name: 'Ada', capital: null };
const VALUES: Record<string, unknown[]> = {
  name: ['', 'Ada', 1, null, undefined],
  nickname: ['Ada', 'Eve', null, undefined],
  city: [
    { name: 'Rome' },
    { name: 'London' },
    {},
    null,
    undefined,
    'Rome',
    7,
    [],
    [{ name: 'Rome' }],
    [{ name: 7 }],
    [[{ name: 'Rome' }]],
  ],
  capital: [{ name: 'Rome', people: 1 }, { name: 'Rome', people: 0 }, { name: 'Rome' }, { people: 1 }, null, undefined],
  visited: [
    [],
    [{ name: 'Rome' }],
    [{ name: 'Rome' }, {}],
    [{ name: 'A' }, { name: 'B' }, { name: 'C' }],
    [null],
    [7],
    {},
    'Rome',
    null,
  ],
  languages: [[], ['en'], ['en', 7], [['en']], 'en', {}, null],
};

it.each(Object.entries(VALUES).flatMap(([key, values]) => values.map((value) => ({ ...GOOD, [key]: value }))))(
  'accepts %j only when class-validator does',
  async (person) => {
    const input = plainToInstance(Person, person);
    expect(isAccepted(input)).toBe((await validate(input, { forbidUnknownValues: false })).length === 0);
  },
);

describe('is left to class-validator', () => {
  class OfNoRule {
    name = 'Ada';
  }
  class Later {
    @ValidateBy({ name: 'later', validator: { validate: () => Promise.resolve(true) } }) name = 'Ada';
  }
  class Conditional {
    @IsString({ validateIf: () => true }) name = 'Ada';
  }
  class Promised {
    @ValidatePromise() name = Promise.resolve('Ada');
  }
  class Nested {
    @ValidateNested() inner = new OfNoRule();
  }
  class Defined {
    @IsDefined() name = 'Ada';
  }
  class Collected {
    @ValidateNested({ each: true }) inner = new Set([new City()]);
  }
  class Each {
    @IsString({ each: true }) names = new Set(['Ada']);
  }

  it.each([OfNoRule, Later, Conditional, Promised, Defined, Nested, Collected, Each])('%p', (type) => {
    expect(isAccepted(new type())).toBe(false);
  });
});
