import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import * as v from 'valibot';

/** Schemas for the values of environment variables. */

export const text = () => v.pipe(v.string(), v.trim());
export const integer = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d+$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  );
export const flag = () =>
  v.pipe(
    v.picklist(['true', 'false'], 'must be true or false'),
    v.transform((value) => value === 'true'),
  );
/** Kubernetes sets NAME_PORT to a URL for a Service NAME in the namespace of the pod. */
const isServiceLink = (value: string): boolean => /^(tcp|udp|sctp):\/\//.test(value.trim());
export const port = () =>
  v.pipe(
    v.string(),
    v.check(
      (value) => !isServiceLink(value),
      'must be a port; Kubernetes sets this value for a Service of that name: set ' +
        'enableServiceLinks: false in the pod',
    ),
    integer(0, 65_535),
  );
export const durationMs = (min = 1) => integer(min, 400 * 24 * 3_600_000);
const list = () =>
  v.pipe(
    v.string(),
    v.transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    ),
  );
export const integers = (min: number, max: number) => v.pipe(list(), v.array(integer(min, max)));
const isNetwork = (value: string): boolean => {
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  const isPrefix =
    bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
  return family !== 0 && isPrefix && rest.length === 0;
};
export const networks = () =>
  v.pipe(
    list(),
    v.array(v.pipe(v.string(), v.check(isNetwork, 'each entry must be an address or a network'))),
  );
const isHttpUrl = (value: string): boolean => URL.canParse(value) && /^https?:/.test(value);
export const httpUrl = () =>
  v.pipe(text(), v.check(isHttpUrl, 'must be a URL such as https://temporal.example.com'));
/** Whether the driver can parse it. Of a list of hosts, it parses the first as a part of the URL. */
function isDatabaseUrl(value: string): boolean {
  const [, authority = ''] = /^postgres(?:ql)?:\/\/([^/?]*)/.exec(value) ?? [];
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  const [host = ''] = hosts.split(',');
  const url = value.replace(hosts, () => host);
  const isDecodable = !/%(?![\da-f]{2})/i.test(authority);
  return /^postgres(?:ql)?:/.test(value) && URL.canParse(url) && isDecodable;
}
/** A URL that the driver cannot parse would end the process with the URL in the error. */
export const databaseUrl = () =>
  v.pipe(
    text(),
    v.check(
      isDatabaseUrl,
      'must be a URL such as postgres://user:password@host:5432/gateway; in the password, write ' +
        '/, ?, #, @ and % as %2F, %3F, %23, %40 and %25',
    ),
  );
function isGrpcAddress(value: string): boolean {
  const match = /^(?:\[[\da-f.:]+\]|[^\s,:/[\]]+)(?::(\d+))?$/i.exec(value);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}
/** A host with or without a port: the SDK's default is 7233. */
export const grpcAddress = () =>
  v.pipe(text(), v.check(isGrpcAddress, 'must be an address such as temporal.example.com:7233'));
/** The URL of an HTTP CONNECT proxy. */
export const proxyUrl = () =>
  v.pipe(
    text(),
    v.check((value) => {
      if (!URL.canParse(value)) return false;
      const { protocol, hostname, pathname, search } = new URL(value);
      return protocol === 'http:' && hostname !== '' && pathname === '/' && search === '';
    }, 'must be the URL of an HTTP proxy such as http://proxy.example.com:3128'),
  );
const originOf = (value: string): string | null => {
  const origin = URL.canParse(value) ? new URL(value).origin : 'null';
  return origin === 'null' ? null : origin;
};
export const origins = () =>
  v.pipe(
    list(),
    v.array(
      v.pipe(
        v.string(),
        v.check(
          (value) => originOf(value) === value.toLowerCase().replace(/\/$/, ''),
          'each entry must be an origin such as http://127.0.0.1:9000',
        ),
        v.transform((value) => originOf(value) ?? value),
      ),
    ),
  );
/** An http or https URL without query; empty is allowed. Its slashes at the end are dropped. */
export const baseUrl = () =>
  v.pipe(
    text(),
    v.check(
      (value) => value === '' || (isHttpUrl(value) && !/[?#]/.test(value)),
      'must be a URL such as https://gateway.example.com',
    ),
    v.transform((value) => value.replace(/\/+$/, '')),
  );
const isKey = (value: string): boolean => Buffer.from(value, 'base64').length === 32;
/** One key of 32 bytes in base64, or several: the first encrypts, all decrypt. Returns the text. */
export const keyRing = () =>
  v.pipe(
    list(),
    v.check(
      (keys) => keys.length > 0 && keys.every(isKey),
      'must be 32 bytes in base64 (openssl rand -base64 32), or several such keys with commas',
    ),
    v.check(
      (keys) =>
        new Set(keys.map((key) => Buffer.from(key, 'base64').toString('hex'))).size === keys.length,
      'must not have a key twice',
    ),
    v.transform((keys) => keys.join(',')),
  );
function isEd25519(pem: string, make: (pem: string) => KeyObject): boolean {
  try {
    return make(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
/** Accepts a PEM whose line ends are written as \n, as most secret stores hand it over. */
const keyOf = (make: (pem: string) => KeyObject, message: string) =>
  v.pipe(
    text(),
    v.transform((value) => value.replaceAll('\\n', '\n')),
    v.check((value) => isEd25519(value, make), message),
  );
export const ed25519PrivateKey = () =>
  keyOf(createPrivateKey, 'must be an Ed25519 private key (PKCS #8 PEM)');
export const ed25519Key = () => keyOf(createPublicKey, 'must be an Ed25519 key (PEM)');
export const vatRate = () =>
  v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^0\.\d{1,4}$/, 'must be a fraction such as 0.15, with at most four decimals'),
    v.transform((value) => Math.round(Number(value) * 10_000)),
  );
