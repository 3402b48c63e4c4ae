import { QueryFailedError } from 'typeorm';
import { isUnreachable } from './error.filter.js';

const withCode = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

describe('isUnreachable', () => {
  it.each([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a connection that broke', withCode('ECONNRESET')],
    ['a name that does not resolve for now', withCode('EAI_AGAIN')],
    ['all addresses of a host refusing', new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')])],
    ['a connection failure, SQLSTATE 08006', withCode('08006')],
    ['too many connections, SQLSTATE 53300', withCode('53300')],
    ['a session ended by an administrator, SQLSTATE 57P01', withCode('57P01')],
    ['a database that starts up, SQLSTATE 57P03', withCode('57P03')],
    ['a statement that took too long, SQLSTATE 57014', withCode('57014')],
    ['the same inside of a failed query', new QueryFailedError('SELECT 1', [], withCode('57P01'))],
    ['a pool that gives no connection', new Error('timeout exceeded when trying to connect')],
    ['a connection that ended in a query', new Error('Connection terminated unexpectedly')],
    ['a database that does not answer at all', new QueryFailedError('SELECT 1', [], new Error('Query read timeout'))],
    ['a Redis that is away', new Error("Stream isn't writeable and enableOfflineQueue options is false")],
    ['a Redis whose connection was closed', new Error('Connection is closed.')],
    ['a connection that pg closed', new Error('Client was closed and is not queryable')],
    [
      'a transaction whose connection TypeORM gave up',
      new Error('Query runner already released. Cannot run queries anymore.'),
    ],
    [
      'a statement after that',
      new Error(
        'Database connection provided by a query runner was already released, cannot continue to use its querying methods anymore.',
      ),
    ],
    ['a Redis command that ran out of attempts', new Error('Reached the max retries per request limit (which is 1).')],
  ])('is true for %s', (_what, error) => {
    expect(isUnreachable(error)).toBe(true);
  });

  it.each([
    ['a unique violation', new QueryFailedError('INSERT', [], withCode('23505'))],
    ['a deadlock', withCode('40P01')],
    ['a programming error', new TypeError('x is not a function')],
    ['a message that only quotes one', new Error('it said: Connection terminated')],
    ['a code that is a number', Object.assign(new Error('failed'), { code: 8006 })],
    ['something that is no error', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('is false for %s', (_what, error) => {
    expect(isUnreachable(error)).toBe(false);
  });

  it('does not loop over an error that is its own cause', () => {
    const error: Error & { driverError?: unknown } = new Error('failed');
    error.driverError = error;
    expect(isUnreachable(error)).toBe(false);
  });
});
