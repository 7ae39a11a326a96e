import * as v from 'valibot';

/** The Token of part 2; `expiresIn` in seconds. */
export const tokenResponse = v.object({
  accessToken: v.string(),
  tokenType: v.literal('Bearer'),
  expiresIn: v.pipe(v.number(), v.integer()),
});
