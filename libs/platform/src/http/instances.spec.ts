import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsOptional, IsString } from 'class-validator';
import { toInstance } from './instances.js';

class City {
  @IsString() name = 'Rome';
}

class Journey {
  @IsString() @Transform(({ value }: { value: string }) => value.trim()) title!: string;
  @IsOptional() @Type(() => City) start?: City;
  @IsOptional() @Type(() => City) cities?: City[];
  @IsOptional() notes?: unknown;
}

class Fleet {
  @IsOptional() @ArrayMaxSize(3) @Type(() => City) ports?: City[];
  @IsOptional() @ArrayMaxSize(3) @Transform(({ obj }: { obj: { names: unknown } }) => obj.names) names?: string[];
}

class LongJourney extends Journey {
  @IsString()
  @Transform(({ value, obj }: { value: string; obj: { title: string } }) => `${value} of ${obj.title}`)
  days!: string;
}

const ignore = () => undefined;

/** A record that notes which of its keys are read, and how often all keys are listed. */
function watched(record: object) {
  const read: unknown[] = [];
  const proxy = new Proxy(record, {
    get: (target, key, receiver): unknown => {
      read.push(key);
      return Reflect.get(target, key, receiver);
    },
    ownKeys: (target) => {
      read.push('all keys');
      return Reflect.ownKeys(target);
    },
  });
  return { proxy, read };
}

describe('instanceOf', () => {
  it('makes instances of the class and of the classes of its keys, and transforms as they say', () => {
    const made = toInstance(
      LongJourney,
      { title: ' a ', days: '3', start: {}, cities: [{ name: 'Oslo' }, 5, null] },
      ignore,
    );
    expect(made).toBeInstanceOf(LongJourney);
    expect(made.start).toBeInstanceOf(City);
    expect(made).toEqual({
      title: 'a',
      days: '3 of  a ',
      start: { name: 'Rome' },
      cities: [{ name: 'Oslo' }, 5, null],
    });
    expect(made.cities?.[0]).toBeInstanceOf(City);
  });

  it('reads each known key once and no other, whatever there is of them', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`key${at}`, at]));
    const { proxy, read } = watched({ title: 'a', ...many });
    const unknown: string[] = [];
    toInstance(Journey, proxy, (path) => unknown.push(path.join('.')));
    expect(read).toEqual(['all keys', 'title']);
    expect(unknown).toEqual(Object.keys(many));
  });

  it('takes of a list that is too long only what shows that it is', () => {
    const cities = (count: number) => Array.from({ length: count }, () => ({}));
    const names = (count: number) => Array.from({ length: count }, () => 'a');
    const { proxy, read } = watched(cities(5_000));
    const made = toInstance(Fleet, { ports: proxy, names: names(5_000) }, ignore);
    expect([made.ports?.length, made.names?.length]).toEqual([4, 4]);
    expect(read.filter((key) => /^\d+$/.test(String(key)))).toEqual(['0', '1', '2', '3']);
    const allowed = toInstance(Fleet, { ports: cities(3), names: names(3) }, ignore);
    expect([allowed.ports?.length, allowed.names?.length]).toEqual([3, 3]);
  });

  it('leaves what no class describes as it was sent, unread', () => {
    const { proxy, read } = watched({ deep: { deeper: 1 } });
    const { notes } = toInstance(Journey, { title: 'a', notes: proxy }, ignore);
    expect(notes).toBe(proxy);
    expect(read).toEqual([]);
  });

  it('tells where an unknown key is, in lists and in records', () => {
    const unknown: string[] = [];
    toInstance(Journey, { title: 'a', x: 1, start: { zip: 1 }, cities: [{}, { zip: { y: 1 } }] }, (path) =>
      unknown.push(path.join('.')),
    );
    expect(unknown).toEqual(['x', 'start.zip', 'cities.1.zip']);
  });
});
