import type { Random } from './random.ts';
import type { Mutator } from './request.ts';

/** What can be wrong with a token. */

const needsToken: Mutator['fits'] = ({ needsToken: isNeeded }) => isNeeded;
const text = (value: string): string => Buffer.from(value).toString('base64url');

const noBearer: readonly ((token: string) => string | null)[] = [
  () => null,
  () => '',
  () => 'Bearer',
  () => 'Bearer    ',
  () => 'Basic dTpw',
  () => 'Basic',
  () => 'Digest username="x"',
  (token) => token,
  (token) => `Bearer:${token}`,
  (token) => `Token ${token}`,
  (token) => `"Bearer ${token}"`,
  (token) => `Bearer\t${token}`,
  () => 'x'.repeat(9000),
];

/** A signature's first character is all its own; its last has bits that say nothing. */
const withOtherSignature = (token: string): string => {
  const [head, payload, signature = ''] = token.split('.');
  return [head, payload, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`].join('.');
};
const withPart = (token: string, place: number, part: string): string =>
  token
    .split('.')
    .map((own, index) => (index === place ? part : own))
    .join('.');

const wrongTokens: readonly ((token: string, random: Random) => string)[] = [
  (token, random) => token.slice(0, 1 + random.below(token.length - 1)),
  (token) => `${token}.${token}`,
  (token) => `${token} ${token}`,
  (token) => `${token}, Bearer ${token}`,
  withOtherSignature,
  (token) => withPart(token, 2, ''),
  (token) => withPart(token, 0, text('{"alg":"none"}')),
  (token) => withPart(token, 0, text('{"alg":"HS256","kid":"../../etc/passwd"}')),
  (token) => withPart(token, 0, text('{"kid":"__proto__"}')),
  (token) => withPart(token, 0, text('{"kid":{"toString":1}}')),
  (token) => withPart(token, 0, text('null')),
  (token) => withPart(token, 0, text('['.repeat(5000))),
  (token, random) =>
    withPart(token, 1, text(`{"aud":"operator-api","jti":"${random.below(1e9)}"}`)),
  (token, random) => withPart(token, 1, random.bytes(3000).toString('base64url')),
  (token) => withPart(token, 1, text('null')),
  () => '...',
  () => '.',
  () => 'null',
  () => '\u00e9\u00ff',
  (_token, random) => random.bytes(1 + random.below(6000)).toString('base64'),
];

const missingToken: Mutator = {
  name: 'token: none',
  fits: needsToken,
  mutate: (draft, random) => {
    draft.authorization = random.pick(noBearer)(draft.token);
    return ['UNAUTHORIZED_MISSING_TOKEN'];
  },
};

const wrongToken: Mutator = {
  name: 'token: broken',
  fits: needsToken,
  mutate: (draft, random) => {
    const scheme = random.pick(['Bearer ', 'bearer ', 'BEARER   ']);
    draft.authorization = `${scheme}${random.pick(wrongTokens)(draft.token, random)}`;
    return ['UNAUTHORIZED_INVALID_TOKEN'];
  },
};

const othersToken: Mutator = {
  name: "token: the other side's",
  fits: needsToken,
  mutate: (draft) => {
    const side = draft.route.side === 'vendor' ? 'operator' : 'vendor';
    draft.authorization = `Bearer ${draft.scene.tokens()[side]}`;
    return ['FORBIDDEN'];
  },
};

export const tokenMutators: readonly Mutator[] = [missingToken, wrongToken, othersToken];
