import * as v from 'valibot';
import { described } from '../validation/described.ts';
import { field, titled } from '../validation/response-parts.ts';

/** The Token of part 2; `expiresIn` in seconds. */
export const tokenResponse = titled('Token', {
  accessToken: field.text(
    'A signed JWT (EdDSA). Send it as `Authorization: Bearer …` and treat it as opaque.',
    'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6IjEifQ.' +
      'eyJhdWQiOiJ2ZW5kb3ItYXBpIn0.c2lnbmF0dXJl',
  ),
  tokenType: described(v.literal('Bearer'), 'Always `Bearer`.'),
  expiresIn: field.integer(
    'Lifetime in seconds of real time: 300 for vendors, 900 for operators.',
    300,
  ),
});
